package dev.partita.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.partita.MisuseException;
import dev.partita.rules.Cursor.Position;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Any text is either a cursor of its query or refused as one, also if its checksum is right. */
@Tag("slow")
class CursorFuzzTest {

  private static final Cursor CURSOR = Cursor.of("statement", "seller:42", true, null);
  private static final int CHECKSUM_BYTES = 8;

  @FuzzTest(maxDuration = "30s")
  void cursors(FuzzedDataProvider data) throws NoSuchAlgorithmException {
    switch (data.consumeInt(0, 3)) {
      case 0 -> read(data.consumeRemainingAsString());
      case 1 -> read(sealed(data.consumeRemainingAsBytes()));
      case 2 -> {
        byte[] head = head();
        byte[] rest = data.consumeRemainingAsBytes();
        byte[] content = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, content, head.length, rest.length);
        read(sealed(content));
      }
      default -> back(position(data));
    }
  }

  private static void read(String text) {
    try {
      back(CURSOR.read(text));
    } catch (MisuseException e) {
      assertThat(e.field()).isEqualTo("cursor");
    }
  }

  private static void back(Position position) {
    assertThat(CURSOR.read(CURSOR.write(position))).isEqualTo(position);
  }

  private static Position position(FuzzedDataProvider data) {
    List<Long> numbers = new ArrayList<>();
    for (int i = data.consumeInt(0, 8); i > 0; i--) {
      numbers.add(data.consumeLong());
    }
    List<String> texts = new ArrayList<>();
    for (int i = data.consumeInt(0, 8); i > 0; i--) {
      texts.add(data.consumeAsciiString(255));
    }
    return new Position(numbers, texts);
  }

  /** Format, kind and parameters, as this query's cursors begin. */
  private static byte[] head() {
    byte[] empty = Base64.getUrlDecoder().decode(CURSOR.write(new Position(List.of(), List.of())));
    return Arrays.copyOf(empty, empty.length - CHECKSUM_BYTES - 2);
  }

  private static String sealed(byte[] content) throws NoSuchAlgorithmException {
    byte[] whole = Arrays.copyOf(content, content.length + CHECKSUM_BYTES);
    byte[] checksum = MessageDigest.getInstance("SHA-256").digest(content);
    System.arraycopy(checksum, 0, whole, content.length, CHECKSUM_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }
}
