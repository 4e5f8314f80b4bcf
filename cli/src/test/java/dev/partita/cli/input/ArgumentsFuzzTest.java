package dev.partita.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.partita.Asset;
import dev.partita.MisuseException;
import dev.partita.TransferKind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Any argument is either what it says or refused under the option's name. */
@Tag("slow")
class ArgumentsFuzzTest {

  private static final String OPTION = "--x";
  private static final Asset EUR = Asset.iso("EUR");

  @DictionaryEntries({"2026-02-29T23:59:60.999999+05:45", "-03:30", "key:", "0001-01-01T", "7d"})
  @FuzzTest(maxDuration = "30s")
  void arguments(FuzzedDataProvider data) {
    int kind = data.consumeInt(0, 7);
    String text = data.consumeRemainingAsString();
    switch (kind) {
      case 0 -> {
        Instant time = read(() -> Arguments.time(OPTION, text));
        if (time != null) {
          assertThat(time).isEqualTo(OffsetDateTime.parse(text).toInstant());
          assertThat(time.truncatedTo(ChronoUnit.MICROS)).isEqualTo(time);
        }
      }
      case 1 -> {
        Integer seconds = read(() -> Arguments.seconds(OPTION, text));
        assertThat(seconds == null || seconds > 0).isTrue();
      }
      case 2 -> read(() -> Arguments.id(OPTION, text));
      case 3 -> read(() -> Arguments.metadata(OPTION, List.of(text, "k=v")));
      case 4 -> {
        Long whole = read(() -> Arguments.whole(OPTION, text, 0, 999_999_999_999L));
        if (whole != null) {
          assertThat(new BigDecimal(text)).isEqualByComparingTo(BigDecimal.valueOf(whole));
        }
      }
      case 5 -> read(() -> Decimal.unsigned(OPTION, text).amount(EUR));
      case 6 -> read(() -> Decimal.signed(OPTION, text).balance(EUR));
      default -> read(() -> Arguments.choice(OPTION, text, TransferKind.class));
    }
  }

  private static <T> @Nullable T read(Supplier<T> parser) {
    try {
      return parser.get();
    } catch (MisuseException e) {
      assertThat(e.field()).startsWith(OPTION);
      return null;
    }
  }
}
