package dev.partita.rules;

import dev.partita.MisuseException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the cursors of one query, shared by all engines so that they look and fail
 * alike.
 *
 * <p>A cursor is base64url without padding over: a format version, the query's kind as text, a
 * digest of the query's fixed parameters (everything but cursor and page size), the position as
 * whole numbers and texts, and a checksum of all that. Reading it takes the same kind and
 * parameters; anything else, and any changed character, is a {@link MisuseException} of the field
 * {@code cursor}. The checksum finds accidents, it is no signature: an engine still checks that the
 * position is one it has. Immutable.
 */
public final class Cursor {

  private static final String FIELD = "cursor";
  private static final byte FORMAT = 1;
  private static final int DIGEST_BYTES = 8;
  private static final int PARTS_MAX = 8;
  private static final int TEXT_BYTES_MAX = 255;
  // Format, kind, digest, number and text counts, the longest position, checksum; in base64.
  private static final int LENGTH_MAX = 4_096;

  private final String kind;
  private final byte[] parameters;

  private Cursor(String kind, byte[] parameters) {
    this.kind = kind;
    this.parameters = parameters;
  }

  /**
   * A place in the answer to a query.
   *
   * @param numbers at most 8
   * @param texts at most 8, each at most 255 bytes of UTF-8
   */
  public record Position(List<Long> numbers, List<String> texts) {

    /** Takes copies and checks the bounds. */
    public Position {
      numbers = List.copyOf(numbers);
      texts = List.copyOf(texts);
      if (numbers.size() > PARTS_MAX || texts.size() > PARTS_MAX) {
        throw new IllegalArgumentException("a position has at most 8 numbers and 8 texts");
      }
    }

    /** A place that one number names. */
    public static Position of(long number) {
      return new Position(List.of(number), List.of());
    }

    /** A place that one text names. */
    public static Position of(String text) {
      return new Position(List.of(), List.of(text));
    }
  }

  /**
   * The cursors of a query.
   *
   * @param kind names the query, at most 255 bytes of UTF-8
   * @param parameters what the query keeps from page to page, in a fixed order; their {@link
   *     Object#toString} must tell different values apart
   */
  public static Cursor of(String kind, @Nullable Object... parameters) {
    MessageDigest digest = sha256();
    for (Object parameter : parameters) {
      if (parameter == null) {
        digest.update((byte) 0);
      } else {
        byte[] text = parameter.toString().getBytes(StandardCharsets.UTF_8);
        digest.update((byte) 1);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).flip());
        digest.update(text);
      }
    }
    return new Cursor(kind, Arrays.copyOf(digest.digest(), DIGEST_BYTES));
  }

  /** The cursor that leads back to a position. */
  public String write(Position position) {
    ByteBuffer out = ByteBuffer.allocate(LENGTH_MAX);
    out.put(FORMAT);
    putText(out, kind);
    out.put(parameters);
    out.put((byte) position.numbers().size());
    for (long number : position.numbers()) {
      out.putLong(number);
    }
    out.put((byte) position.texts().size());
    for (String text : position.texts()) {
      putText(out, text);
    }
    byte[] content = Arrays.copyOf(out.array(), out.position());
    byte[] whole = Arrays.copyOf(content, content.length + DIGEST_BYTES);
    System.arraycopy(sha256().digest(content), 0, whole, content.length, DIGEST_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  /**
   * The position that a cursor leads back to.
   *
   * @param cursor what {@link #write} gave for the same kind and parameters
   * @throws MisuseException if it is anything else
   */
  public Position read(String cursor) {
    byte[] whole = decode(cursor);
    int end = whole.length - DIGEST_BYTES;
    byte[] content = Arrays.copyOf(whole, Math.max(end, 0));
    if (end <= 0
        || !Arrays.equals(sha256().digest(content), 0, DIGEST_BYTES, whole, end, whole.length)) {
      throw malformed(null);
    }
    ByteBuffer in = ByteBuffer.wrap(content);
    try {
      if (in.get() != FORMAT) {
        throw new MisuseException(FIELD, "was written by another version of this software");
      }
      String itsKind = takeText(in);
      byte[] itsParameters = new byte[DIGEST_BYTES];
      in.get(itsParameters);
      if (!itsKind.equals(kind) || !Arrays.equals(itsParameters, parameters)) {
        throw new MisuseException(
            FIELD, "belongs to another query; pass it back with the question that it came from");
      }
      return takePosition(in);
    } catch (BufferUnderflowException | IllegalArgumentException | CharacterCodingException e) {
      throw malformed(e);
    }
  }

  /**
   * The position of a query whose places are single numbers.
   *
   * @throws MisuseException also if the number is not within {@code min} … {@code max}
   */
  public long readNumber(String cursor, long min, long max) {
    Position position = read(cursor);
    if (position.numbers().size() != 1 || !position.texts().isEmpty()) {
      throw malformed(null);
    }
    long number = position.numbers().getFirst();
    if (number < min || number > max) {
      throw unknownPlace();
    }
    return number;
  }

  /** The failure of a cursor whose position this ledger does not have. */
  public static MisuseException unknownPlace() {
    return new MisuseException(FIELD, "leads to a place that this ledger does not have");
  }

  private static byte[] decode(String cursor) {
    if (cursor.isEmpty() || cursor.length() > LENGTH_MAX * 2) {
      throw malformed(null);
    }
    byte[] whole;
    try {
      whole = Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException e) {
      throw malformed(e);
    }
    // The decoder takes padding and overlooks unused bits; only what was written is a cursor.
    if (!Base64.getUrlEncoder().withoutPadding().encodeToString(whole).equals(cursor)) {
      throw malformed(null);
    }
    return whole;
  }

  private static Position takePosition(ByteBuffer in) throws CharacterCodingException {
    List<Long> numbers = new ArrayList<>();
    for (int left = in.get(); left > 0; left--) {
      numbers.add(in.getLong());
    }
    List<String> texts = new ArrayList<>();
    for (int left = in.get(); left > 0; left--) {
      texts.add(takeText(in));
    }
    if (in.hasRemaining()) {
      throw malformed(null);
    }
    return new Position(numbers, texts);
  }

  private static void putText(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > TEXT_BYTES_MAX) {
      throw new IllegalArgumentException("a text of a cursor has at most 255 bytes");
    }
    out.put((byte) bytes.length).put(bytes);
  }

  private static String takeText(ByteBuffer in) throws CharacterCodingException {
    int length = Byte.toUnsignedInt(in.get());
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }

  private static MisuseException malformed(@Nullable Exception cause) {
    MisuseException misuse =
        new MisuseException(FIELD, "is not a cursor of this ledger; pass back what a page gave");
    if (cause != null) {
      misuse.addSuppressed(Objects.requireNonNull(cause));
    }
    return misuse;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
