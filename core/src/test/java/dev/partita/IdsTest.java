package dev.partita;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The expected ids were worked out apart from this code, from the definitions. They must never
 * change: they are stored, and callers derive the same id again years later.
 */
class IdsTest {

  private static final UUID ID = UUID.fromString("018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b");

  @ParameterizedTest
  @CsvSource({
    "'', a157d36a-7391-51c1-8264-19da5c87aedf, 019b76da-a87b-71c1-8264-19da5c87aedf",
    "order 42, bd419d49-a80a-57af-b12a-45dce18577f7, 019b76da-a87b-77af-b12a-45dce18577f7",
    "Größe €😀, b5cd5bc1-d49b-55c5-b5e9-4e721f61b3f8, 019b76da-a87b-75c5-b5e9-4e721f61b3f8"
  })
  void derivesIdsFromNames(String text, UUID named, UUID namedAtTime) {
    assertThat(Ids.named(text)).isEqualTo(named);
    assertThat(Ids.named(Instant.parse("2026-01-01T00:00:00.123999Z"), text))
        .isEqualTo(namedAtTime);
  }

  @Test
  void derivesIdsFromOtherIds() {
    assertThat(Ids.expiryOf(ID)).hasToString("bf0ce280-d219-8211-9b92-599191a59a92");
    assertThat(Ids.memberOf(ID, 0)).hasToString("4077bfe7-14a4-80f5-a8a8-299984da0d91");
    assertThat(Ids.memberOf(ID, 1)).hasToString("19e07a21-b514-8084-bde1-43dd058ace6c");
    assertThat(Ids.memberOf(ID, 9_999)).hasToString("db450a6b-4da9-88b0-b971-2249373b78b7");
  }

  @Test
  void namesTimesFrom1970On() {
    assertThat(Ids.named(Instant.EPOCH, "")).hasToString("00000000-0000-71c1-8264-19da5c87aedf");
    for (Instant outside :
        List.of(
            Instant.EPOCH.minusNanos(1),
            Instant.ofEpochMilli(1L << 48),
            Instant.MIN,
            Instant.MAX)) {
      assertThatExceptionOfType(MisuseException.class)
          .isThrownBy(() -> Ids.named(outside, ""))
          .satisfies(misuse -> assertThat(misuse.field()).isEqualTo("instant"));
    }
  }

  @Test
  void ordersNewIdsByTime() {
    Instant now = Instant.parse("2026-01-01T00:00:00.123Z");
    UUID id = Ids.timeOrdered(now, new Random(1));
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(now.toEpochMilli());
  }

  @Test
  void ordersNewIdsWithinAMillisecond() {
    Instant first = Instant.parse("2026-01-01T00:00:00.123Z");
    Random random = new Random(1);
    List<UUID> made =
        Stream.of(0, 1_000, 2_000, 500_000, 999_000, 999_999, 1_000_000)
            .map(nanos -> Ids.timeOrdered(first.plusNanos(nanos), random))
            .toList();
    assertThat(made).isSortedAccordingTo(Ids.UNSIGNED_ORDER).doesNotHaveDuplicates();
    assertThat(made).allMatch(id -> id.version() == 7 && id.variant() == 2);
    assertThat(made.get(3).getMostSignificantBits() & 0xFFF).isEqualTo(2_048);
  }

  @Test
  void makesDifferentIdsAtTheSameTime() {
    Instant now = Instant.parse("2026-01-01T00:00:00.123456Z");
    Random random = new Random(1);
    assertThat(Stream.generate(() -> Ids.timeOrdered(now, random)).limit(10_000))
        .doesNotHaveDuplicates();
  }

  @Test
  void ordersAsUnsignedNumbers() {
    List<UUID> rising =
        Stream.of(
                "00000000-0000-0000-0000-000000000001",
                "00000000-0000-0000-ffff-ffffffffffff",
                "7fffffff-ffff-ffff-0000-000000000000",
                "80000000-0000-0000-0000-000000000000",
                "ffffffff-ffff-ffff-ffff-ffffffffffff")
            .map(UUID::fromString)
            .toList();
    assertThat(rising.reversed().stream().sorted(Ids.UNSIGNED_ORDER)).isEqualTo(rising);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1-1-1-1-1",
        "018f4e2a7c1b7d3e9a4b5c6d7e8f9a0b",
        "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0",
        "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0g",
        "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b ",
        "{18f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0}"
      })
  void readsOnlyTheCanonicalForm(String text) {
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> Ids.parse("id", text));
    assertThat(Ids.parse("id", "018F4E2A-7c1b-7d3e-9a4b-5c6d7e8f9a0b")).isEqualTo(ID);
  }

  @Test
  void keepsVersion8ForTheEngine() {
    AssetCode eur = new AssetCode("EUR");
    for (UUID refused : List.of(new UUID(0, 0), new UUID(-1, -1), Ids.expiryOf(ID))) {
      assertThatExceptionOfType(MisuseException.class)
          .isThrownBy(
              () ->
                  TransferRequest.direct(
                      refused, eur, AccountId.of("a"), AccountId.of("b"), Amount.ZERO))
          .satisfies(misuse -> assertThat(misuse.field()).isEqualTo("id"));
    }
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> PostRequest.of(TransferRequest.capture(Ids.memberOf(ID, 0), ID)));
  }
}
