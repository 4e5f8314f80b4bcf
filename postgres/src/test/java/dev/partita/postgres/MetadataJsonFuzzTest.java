package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.partita.CorruptionException;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * Any stored text is either notes, and comes back as written, or corruption: never something else.
 */
@Tag("slow")
class MetadataJsonFuzzTest {

  @DictionaryEntries({"{\"", "\": \"", "\", \"", "\"}", "\\u00e9", "\\\\", "\\\"", "{}", "null"})
  @FuzzTest(maxDuration = "30s")
  void stored(FuzzedDataProvider data) {
    if (data.consumeBoolean()) {
      Map<String, String> entries = new HashMap<>();
      for (int i = data.consumeInt(0, 5); i > 0; i--) {
        entries.put(data.consumeAsciiString(10), data.consumeString(50));
      }
      try {
        back(Metadata.of(entries));
      } catch (MisuseException e) {
        assertThat(e.field()).startsWith("metadata");
      }
      return;
    }
    try {
      back(MetadataJson.read(data.consumeRemainingAsString()));
    } catch (CorruptionException e) {
      assertThat(e).hasMessageContaining("metadata");
    }
  }

  private static void back(Metadata metadata) {
    assertThat(MetadataJson.read(MetadataJson.write(metadata))).isEqualTo(metadata);
  }
}
