package dev.partita.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Decodes the percent-encoding of paths and queries strictly: UTF-8, or a 400. */
final class PercentText {

  private PercentText() {}

  /** Decodes a segment of a path, where a plus sign is a plus sign. */
  static String path(String raw) {
    return raw.indexOf('%') < 0 ? requireAscii(raw) : decode(raw, false);
  }

  /** Decodes a name or value of a query, where a plus sign is a space, as forms write it. */
  static String query(String raw) {
    return raw.indexOf('%') < 0 && raw.indexOf('+') < 0 ? requireAscii(raw) : decode(raw, true);
  }

  private static String decode(String raw, boolean plusIsSpace) {
    ByteBuffer bytes = ByteBuffer.allocate(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.put((byte) escaped(raw, i));
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        bytes.put((byte) ' ');
      } else {
        bytes.put((byte) requireAscii(c));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw malformed("is not UTF-8 where it is percent-encoded");
    }
  }

  private static int escaped(String raw, int at) {
    if (at + 2 >= raw.length()
        || !HexFormat.isHexDigit(raw.charAt(at + 1))
        || !HexFormat.isHexDigit(raw.charAt(at + 2))) {
      throw malformed("has a % that is not followed by two hexadecimal digits; write % as %25");
    }
    return HexFormat.fromHexDigits(raw, at + 1, at + 3);
  }

  private static String requireAscii(String raw) {
    raw.chars().forEach(c -> requireAscii((char) c));
    return raw;
  }

  private static char requireAscii(char c) {
    if (c <= ' ' || c > '~') {
      throw malformed("has a character that must be percent-encoded");
    }
    return c;
  }

  private static ProblemException malformed(String what) {
    return new ProblemException(Problem.of(400, "malformed_request", "the address " + what));
  }
}
