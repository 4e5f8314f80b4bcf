package dev.partita.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.partita.MisuseException;
import dev.partita.rules.Cursor.Position;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {

  private static final List<String> ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ é"
          .chars()
          .mapToObj(Character::toString)
          .toList();

  private static final Cursor CURSOR = Cursor.of("statement", "seller:42", true, null);

  static List<Position> positions() {
    return List.of(
        new Position(List.of(), List.of()),
        Position.of(0),
        Position.of(Long.MIN_VALUE),
        Position.of("seller:42"),
        Position.of(""),
        new Position(List.of(1L, -1L, Long.MAX_VALUE), List.of("é€😀", "x".repeat(30))));
  }

  @ParameterizedTest
  @MethodSource("positions")
  void readsWhatItWrote(Position position) {
    String text = CURSOR.write(position);
    assertThat(text).matches("[A-Za-z0-9_-]+");
    assertThat(CURSOR.read(text)).isEqualTo(position);
    assertThat(Cursor.of("statement", "seller:42", true, null).read(text)).isEqualTo(position);
  }

  @ParameterizedTest
  @MethodSource("positions")
  void refusesEveryChangedCharacter(Position position) {
    String text = CURSOR.write(position);
    for (int i = 0; i < text.length(); i++) {
      requireMalformed(text.substring(0, i) + text.substring(i + 1));
      for (String c : ALPHABET) {
        requireMalformed(text.substring(0, i) + c + text.substring(i));
        if (c.charAt(0) != text.charAt(i)) {
          requireMalformed(text.substring(0, i) + c + text.substring(i + 1));
        }
      }
    }
    for (String c : ALPHABET) {
      requireMalformed(text + c);
    }
  }

  @Test
  void refusesTheCursorsOfOtherQueries() {
    Stream.of(
            Cursor.of("find", "seller:42", true, null),
            Cursor.of("statement", "seller:43", true, null),
            Cursor.of("statement", "seller:42", false, null),
            Cursor.of("statement", "seller:42", true, ""),
            Cursor.of("statement", "seller:42", true),
            Cursor.of("statement", "seller:4", "2true", null))
        .map(other -> other.write(Position.of(1)))
        .forEach(CursorTest::requireMalformed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "AA", "AAAA", "null", "....", "=", "AAAAAAAAAAAAAAAAAAAAAAAA"})
  void refusesWhatIsNoCursor(String text) {
    requireMalformed(text);
  }

  @Test
  void boundsWhatItReadsAndWrites() {
    requireMalformed("A".repeat(1_000_000));
    String longest = CURSOR.write(Position.of("x".repeat(255)));
    assertThat(CURSOR.read(longest)).isEqualTo(Position.of("x".repeat(255)));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> CURSOR.write(Position.of("x".repeat(256))));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new Position(Collections.nCopies(9, 1L), List.of()));
  }

  @Test
  void takesOneNumberWithinItsRange() {
    String five = CURSOR.write(Position.of(5));
    assertThat(CURSOR.readNumber(five, 5, 5)).isEqualTo(5);
    requireMisuse(() -> CURSOR.readNumber(five, 6, 9));
    requireMisuse(() -> CURSOR.readNumber(five, 1, 4));
    requireMisuse(() -> CURSOR.readNumber(five, 1, 0));
    requireMisuse(() -> CURSOR.readNumber(CURSOR.write(Position.of("5")), 5, 5));
  }

  private static void requireMalformed(String text) {
    requireMisuse(() -> CURSOR.read(text));
  }

  private static void requireMisuse(Runnable read) {
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(read::run)
        .satisfies(misuse -> assertThat(misuse.field()).isEqualTo("cursor"));
  }
}
