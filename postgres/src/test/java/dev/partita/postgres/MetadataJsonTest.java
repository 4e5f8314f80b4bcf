package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.CorruptionException;
import dev.partita.Metadata;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataJsonTest {

  @Test
  void readsWhatJsonbPrints() {
    assertThat(MetadataJson.read("{\"a\": \"\\u001f\\\"\\\\\\n\", \"b\": \"é\"}"))
        .isEqualTo(Metadata.of(Map.of("a", "\u001f\"\\\n", "b", "é")));
    assertThat(MetadataJson.read("{}")).isEqualTo(Metadata.EMPTY);
    assertThat(MetadataJson.read(null)).isEqualTo(Metadata.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{\"a\"}",
        "{\"a\": 1}",
        "{\"a\": \"v\"",
        "{\"a\": \"v\"}}",
        "{\"a\": \"v\",}",
        "{\"a\": \"\\u00|9\"}",
        "{\"a\": \"\\u+123\"}",
        "{\"a\": \"\\u12\"}",
        "{\"a\": \"\\u0000\"}",
        "{\"a\": \"\\ud800\"}",
        "{\"a\": \"\\x\"}",
        "{\"a\": \"v\", \"a\": \"w\"}",
        "{\"a b\": \"v\"}",
        "{\"\": \"v\"}"
      })
  void takesEverythingElseForCorruption(String stored) {
    assertThatThrownBy(() -> MetadataJson.read(stored)).isInstanceOf(CorruptionException.class);
  }
}
