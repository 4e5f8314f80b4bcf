package dev.partita.postgres;

import dev.partita.Amount;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows in PostgreSQL's binary COPY format (documented under COPY, "Binary Format"), in one growing
 * buffer: every value is its length and its bytes, big-endian; NULL is the length −1.
 */
final class CopyEncoder implements RowSink {

  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0
  };
  private static final int ROW_BYTES = 320;
  private static final int NULL_LENGTH = -1;
  private static final byte JSONB_VERSION = 1;

  /** Microseconds from 1970 to 2000-01-01, where PostgreSQL's timestamps begin. */
  private static final long EPOCH_MICROS = 946_684_800_000_000L;

  private static final int NUMERIC_BASE = 10_000;
  private static final long NUMERIC_BASE_TO_4 = 10_000_000_000_000_000L;
  private static final BigInteger NUMERIC_CHUNK = BigInteger.valueOf(NUMERIC_BASE_TO_4);
  private static final int NUMERIC_DIGITS_MAX = 12;
  private static final int NUMERIC_HEADER_BYTES = 8;

  private byte[] buffer;
  private int length;
  private final short[] digits = new short[NUMERIC_DIGITS_MAX];

  CopyEncoder(int rows) {
    buffer = new byte[64 + rows * ROW_BYTES];
    System.arraycopy(SIGNATURE, 0, buffer, 0, SIGNATURE.length);
    length = SIGNATURE.length;
    putInt(0);
    putInt(0);
  }

  byte[] bytes() {
    return buffer;
  }

  int length() {
    return length;
  }

  /** Writes the trailer; after the last row. */
  void end() {
    putShort((short) NULL_LENGTH);
  }

  @Override
  public void startRow(int columns) {
    ensure(ROW_BYTES);
    putShort((short) columns);
  }

  @Override
  public void int2(short value) {
    putInt(Short.BYTES);
    putShort(value);
  }

  @Override
  public void int4(int value) {
    putInt(Integer.BYTES);
    putInt(value);
  }

  @Override
  public void int8(long value) {
    putInt(Long.BYTES);
    putLong(value);
  }

  @Override
  public void int4OrNull(@Nullable Integer value) {
    if (value == null) {
      putInt(NULL_LENGTH);
    } else {
      int4(value);
    }
  }

  @Override
  public void uuid(@Nullable UUID value) {
    if (value == null) {
      putInt(NULL_LENGTH);
      return;
    }
    putInt(2 * Long.BYTES);
    putLong(value.getMostSignificantBits());
    putLong(value.getLeastSignificantBits());
  }

  @Override
  public void timestamp(@Nullable Instant value) {
    if (value == null) {
      putInt(NULL_LENGTH);
      return;
    }
    long micros =
        Math.addExact(
            Math.multiplyExact(value.getEpochSecond(), 1_000_000L), value.getNano() / 1_000L);
    int8(Math.subtractExact(micros, EPOCH_MICROS));
  }

  @Override
  public void text(@Nullable String value) {
    if (value == null) {
      putInt(NULL_LENGTH);
      return;
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    putInt(bytes.length);
    put(bytes);
  }

  @Override
  public void json(@Nullable String value) {
    if (value == null) {
      putInt(NULL_LENGTH);
      return;
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    putInt(bytes.length + 1);
    ensure(1);
    buffer[length++] = JSONB_VERSION;
    put(bytes);
  }

  @Override
  public void numeric(@Nullable Amount value) {
    if (value == null) {
      putInt(NULL_LENGTH);
      return;
    }
    int count = digits(value);
    int trailingZeros = 0;
    while (trailingZeros < count && digits[trailingZeros] == 0) {
      trailingZeros++;
    }
    int kept = count - trailingZeros;
    putInt(NUMERIC_HEADER_BYTES + kept * Short.BYTES);
    putShort((short) kept);
    putShort((short) (kept == 0 ? 0 : count - 1)); // weight of the first digit
    putShort((short) 0); // sign: positive
    putShort((short) 0); // scale
    for (int i = count - 1; i >= trailingZeros; i--) {
      putShort(digits[i]);
    }
  }

  /** Splits into base-10,000 digits, least significant first; answers how many. */
  private int digits(Amount value) {
    if (value.high() == 0 && value.low() >= 0) {
      return digits(value.low(), 0, false);
    }
    BigInteger rest = value.toBigInteger();
    int count = 0;
    while (rest.signum() > 0) {
      BigInteger[] parts = rest.divideAndRemainder(NUMERIC_CHUNK);
      rest = parts[0];
      count = digits(parts[1].longValueExact(), count, rest.signum() > 0);
    }
    return count;
  }

  private int digits(long value, int from, boolean padded) {
    int count = from;
    long rest = value;
    while (rest != 0 || (padded && count < from + 4)) {
      digits[count++] = (short) (rest % NUMERIC_BASE);
      rest /= NUMERIC_BASE;
    }
    return count;
  }

  private void put(byte[] bytes) {
    ensure(bytes.length);
    System.arraycopy(bytes, 0, buffer, length, bytes.length);
    length += bytes.length;
  }

  private void putShort(short value) {
    ensure(Short.BYTES);
    buffer[length++] = (byte) (value >> 8);
    buffer[length++] = (byte) value;
  }

  private void putInt(int value) {
    ensure(Integer.BYTES);
    for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer[length++] = (byte) (value >> shift);
    }
  }

  private void putLong(long value) {
    ensure(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer[length++] = (byte) (value >> shift);
    }
  }

  private void ensure(int more) {
    if (buffer.length - length < more) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
    }
  }
}
