package dev.partita.lab.contender;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Answers of an HTTP/1.1 server, one after another on one connection, with a length or in chunks.
 * For one thread.
 */
final class HttpAnswer {

  private static final int BUFFER_BYTES = 16 << 10;
  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final int STATUS_DIGITS = 3;
  private static final int HEX = 16;

  private final InputStream in;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int from;
  private int to;
  private byte[] body = new byte[BUFFER_BYTES];
  private int length;

  HttpAnswer(InputStream in) {
    this.in = in;
  }

  /** Reads the next one to its end; answers its status. */
  int next() throws IOException {
    length = 0;
    String line = line();
    int status =
        Integer.parseInt(
            line, STATUS_AT, Math.min(line.length(), STATUS_AT + STATUS_DIGITS), /* radix= */ 10);
    int announced = 0;
    boolean chunked = false;
    for (line = line(); !line.isEmpty(); line = line()) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        announced = Integer.parseInt(line.substring(15).strip());
      } else if (line.regionMatches(true, 0, "transfer-encoding:", 0, 18)) {
        chunked = true;
      }
    }
    if (chunked) {
      chunks();
    } else {
      take(announced);
    }
    return status;
  }

  private void chunks() throws IOException {
    while (true) {
      int size = Integer.parseInt(line().strip(), HEX);
      take(size);
      line();
      if (size == 0) {
        return;
      }
    }
  }

  /** A line without its end. */
  private String line() throws IOException {
    int begin = from;
    while (true) {
      for (int i = begin; i < to; i++) {
        if (buffer[i] == '\n') {
          String text = new String(buffer, from, i - 1 - from, StandardCharsets.ISO_8859_1);
          from = i + 1;
          return text;
        }
      }
      int looked = to - from;
      fill();
      begin = from + looked;
    }
  }

  private void take(int count) throws IOException {
    if (length + count > body.length) {
      body = Arrays.copyOf(body, Math.max(2 * body.length, length + count));
    }
    for (int left = count; left > 0; ) {
      if (from == to) {
        fill();
      }
      int part = Math.min(left, to - from);
      System.arraycopy(buffer, from, body, length, part);
      from += part;
      length += part;
      left -= part;
    }
  }

  /** Reads more behind what is there. */
  private void fill() throws IOException {
    if (from == to) {
      from = 0;
      to = 0;
    } else if (to == buffer.length) {
      byte[] larger = from > 0 ? buffer : new byte[2 * buffer.length];
      System.arraycopy(buffer, from, larger, 0, to - from);
      buffer = larger;
      to -= from;
      from = 0;
    }
    int read = in.read(buffer, to, buffer.length - to);
    if (read < 0) {
      throw new EOFException("the connection was closed in the middle of an answer");
    }
    to += read;
  }

  /** How often a word stands in the body of the last answer. */
  int count(String word) {
    byte[] wanted = word.getBytes(StandardCharsets.ISO_8859_1);
    int found = 0;
    for (int i = 0; i + wanted.length <= length; i++) {
      if (body[i] == wanted[0]
          && Arrays.equals(body, i, i + wanted.length, wanted, 0, wanted.length)) {
        found++;
        i += wanted.length - 1;
      }
    }
    return found;
  }
}
