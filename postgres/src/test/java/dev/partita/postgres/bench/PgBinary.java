package dev.partita.postgres.bench;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/** Writes PostgreSQL's binary wire format: COPY fields, and arrays as statement parameters. */
final class PgBinary {
  private static final int NUMERIC_BASE = 10_000;
  private static final int NULL_LENGTH = -1;

  private ByteBuffer out = ByteBuffer.allocate(1 << 16);

  PgBinary clear() {
    out.clear();
    return this;
  }

  byte[] buffer() {
    return out.array();
  }

  int length() {
    return out.position();
  }

  PgBinary reserve(int bytes) {
    if (out.remaining() < bytes) {
      int capacity = Math.max(out.capacity() * 2, out.position() + bytes);
      ByteBuffer larger = ByteBuffer.allocate(capacity);
      larger.put(out.flip());
      out = larger;
    }
    return this;
  }

  PgBinary putShort(int value) {
    out.putShort((short) value);
    return this;
  }

  PgBinary putInt(int value) {
    out.putInt(value);
    return this;
  }

  PgBinary putLong(long value) {
    out.putLong(value);
    return this;
  }

  PgBinary putBytes(byte[] bytes) {
    out.put(bytes);
    return this;
  }

  PgBinary int2Field(int value) {
    return putInt(Short.BYTES).putShort(value);
  }

  PgBinary int4Field(int value) {
    return putInt(Integer.BYTES).putInt(value);
  }

  PgBinary int8Field(long value) {
    return putInt(Long.BYTES).putLong(value);
  }

  PgBinary uuidField(long high, long low) {
    return putInt(2 * Long.BYTES).putLong(high).putLong(low);
  }

  /** Zero is stored as NULL, which costs one bit. */
  PgBinary counterField(long value) {
    return value == 0 ? putInt(NULL_LENGTH) : numericField(value);
  }

  /**
   * A non-negative whole NUMERIC: base-10,000 digits, most significant first, no trailing zeros.
   */
  PgBinary numericField(long value) {
    int digits = 0;
    for (long rest = value; rest != 0; rest /= NUMERIC_BASE) {
      digits++;
    }
    int trailingZeros = 0;
    long significant = value;
    while (significant != 0 && significant % NUMERIC_BASE == 0) {
      significant /= NUMERIC_BASE;
      trailingZeros++;
    }
    int stored = digits - trailingZeros;
    putInt(4 * Short.BYTES + stored * Short.BYTES);
    putShort(stored).putShort(Math.max(digits - 1, 0)).putShort(0).putShort(0);
    int start = out.position();
    for (int i = stored - 1; i >= 0; i--) {
      out.putShort(start + i * Short.BYTES, (short) (significant % NUMERIC_BASE));
      significant /= NUMERIC_BASE;
    }
    out.position(start + stored * Short.BYTES);
    return this;
  }

  PgBinary arrayHeader(int elementOid, int length, boolean mayHoldNulls) {
    return putInt(1).putInt(mayHoldNulls ? 1 : 0).putInt(elementOid).putInt(length).putInt(1);
  }

  /**
   * The bytes so far as one parameter; the driver sends it binary if the type is enabled for it.
   */
  PGobject asParameter(String type) {
    return new Parameter(type, Arrays.copyOf(out.array(), out.position()));
  }

  private static final class Parameter extends PGobject implements PGBinaryObject {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;

    Parameter(String type, byte[] bytes) {
      setType(type);
      this.bytes = bytes;
    }

    @Override
    public void setByteValue(byte[] value, int offset) {
      throw new UnsupportedOperationException("only sent, never received");
    }

    @Override
    public int lengthInBytes() {
      return bytes.length;
    }

    @Override
    public void toBytes(byte[] target, int offset) {
      System.arraycopy(bytes, 0, target, offset, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
