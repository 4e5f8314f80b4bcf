package dev.partita.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.partita.MisuseException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {

  @Test
  void timesHaveMicrosecondsAlways() {
    assertThat(Times.format(Instant.parse("2026-01-31T00:00:00Z")))
        .isEqualTo("2026-01-31T00:00:00.000000Z");
    assertThat(Times.format(Instant.parse("0001-01-01T00:00:00.00012Z")))
        .isEqualTo("0001-01-01T00:00:00.000120Z");
  }

  @Test
  void aFinerTimeIsNotRounded() {
    Instant fine = Instant.parse("2026-01-31T00:00:00.123456789Z");

    assertThat(Times.parse("at", Times.format(fine))).isEqualTo(fine);
  }

  @Test
  void fewerDigitsAreRead() {
    assertThat(Times.parse("at", "2026-01-31T23:59:59Z")).isEqualTo("2026-01-31T23:59:59Z");
    assertThat(Times.parse("at", "2026-01-31T23:59:59.5Z")).isEqualTo("2026-01-31T23:59:59.5Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-31T23:59:59",
        "2026-01-31T23:59:59+01:00",
        "2026-01-31T23:59:60Z",
        "2026-01-31T24:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-01-31",
        "2026-01-31 00:00:00Z",
        "2026-01-31T00:00:00.Z",
        "2026-01-31T00:00:00.0000000000Z",
        "+12026-01-31T00:00:00Z",
        "2026-01-31t00:00:00z",
        "1769817600",
        ""
      })
  void anythingElseIsRefused(String text) {
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> Times.parse("at", text));
  }
}
