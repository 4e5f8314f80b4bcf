package dev.partita;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Any map of text is either notes, kept to the letter and within bounds, or refused. */
@Tag("slow")
class MetadataFuzzTest {

  @FuzzTest(maxDuration = "30s")
  void notes(FuzzedDataProvider data) {
    Map<String, String> entries = new HashMap<>();
    int wanted = data.consumeInt(0, 70);
    for (int i = 0; i < wanted && data.remainingBytes() > 0; i++) {
      entries.put(data.consumeString(66), data.consumeString(300));
    }
    Metadata metadata;
    try {
      metadata = Metadata.of(entries);
    } catch (MisuseException e) {
      assertThat(e.field()).startsWith("metadata");
      return;
    }
    assertThat(metadata.asMap()).isEqualTo(entries);
    assertThat(entries).hasSizeLessThanOrEqualTo(Metadata.ENTRIES_MAX);
    int bytes = 0;
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      assertThat(entry.getKey()).matches("[A-Za-z0-9._-]{1,64}");
      byte[] value = entry.getValue().getBytes(StandardCharsets.UTF_8);
      assertThat(new String(value, StandardCharsets.UTF_8)).isEqualTo(entry.getValue());
      assertThat(entry.getValue()).doesNotContain("\0");
      bytes += entry.getKey().length() + value.length;
    }
    assertThat(metadata.bytes()).isEqualTo(bytes).isLessThanOrEqualTo(Metadata.BYTES_MAX);
    assertThat(Metadata.of(metadata.asMap())).isEqualTo(metadata);
  }
}
