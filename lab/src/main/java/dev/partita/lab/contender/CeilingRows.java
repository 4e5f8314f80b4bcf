package dev.partita.lab.contender;

import dev.partita.lab.load.Movement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Rows of Partita's transfer table in PostgreSQL's binary COPY format (documented under COPY,
 * "Binary Format"): direct transfers without code, reference or metadata. For one thread.
 */
final class CeilingRows {

  /** The columns, in the order of the rows. */
  static final String COPY =
      """
      COPY {schema}.transfer (
        batch, recorded_at, debit_version, credit_version, debit_no, credit_no, batch_index, kind,
        flags, id, amount, debit_debits_posted, debit_credits_posted, debit_debits_pending,
        debit_credits_pending, credit_debits_posted, credit_credits_posted, credit_debits_pending,
        credit_credits_pending, related_id, group_id, group_index, group_size, code,
        timeout_seconds, effective_at, released, maximum, reference, metadata)
      FROM STDIN (FORMAT binary)
      """;

  private static final short COLUMNS = 30;
  private static final int NULLS_AT_THE_END = 11;
  private static final int NULL_LENGTH = -1;
  private static final byte[] SIGNATURE =
      "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int HEADER_BYTES = SIGNATURE.length + 2 * Integer.BYTES;

  /** More than a row of longs can take. */
  private static final int ROW_BYTES_MAX = 320;

  private static final short DIRECT = 0;

  /** The request named asset, debit, credit, amount and code. */
  private static final short FLAGS = 1 | 2 | 4 | 8 | 16;

  /** Microseconds from 1970 to 2000-01-01, where PostgreSQL's timestamps begin. */
  private static final long EPOCH_MICROS = 946_684_800_000_000L;

  private static final int NUMERIC_BASE = 10_000;
  private static final int NUMERIC_DIGITS_MAX = 5;

  private final ByteBuffer buffer;
  private final long batch;
  private final long recordedAtMicros;

  /**
   * No rows yet.
   *
   * @param rows how many there will be
   * @param recordedAtMicros since 1970
   */
  CeilingRows(int rows, long batch, long recordedAtMicros) {
    this.buffer = ByteBuffer.allocate(HEADER_BYTES + rows * ROW_BYTES_MAX + Short.BYTES);
    this.batch = batch;
    this.recordedAtMicros = recordedAtMicros;
    buffer.put(SIGNATURE).putInt(0).putInt(0);
  }

  /** An account after a transfer; totals in minor units. */
  record After(int no, long version, long debits, long credits) {}

  /** Adds a transfer. */
  void add(Movement movement, int index, After debit, After credit) {
    buffer.putShort(COLUMNS);
    int8(batch);
    int8(recordedAtMicros - EPOCH_MICROS);
    int8(debit.version());
    int8(credit.version());
    int4(debit.no());
    int4(credit.no());
    int2((short) index);
    int2(DIRECT);
    int2(FLAGS);
    buffer.putInt(2 * Long.BYTES);
    buffer.putLong(movement.id().getMostSignificantBits());
    buffer.putLong(movement.id().getLeastSignificantBits());
    numeric(movement.amount());
    counters(debit);
    counters(credit);
    for (int i = 0; i < NULLS_AT_THE_END; i++) {
      buffer.putInt(NULL_LENGTH);
    }
  }

  /** Everything, after the last row: a buffer to be read from its position. */
  ByteBuffer end() {
    return buffer.putShort((short) NULL_LENGTH).flip();
  }

  private void int2(short value) {
    buffer.putInt(Short.BYTES).putShort(value);
  }

  private void int4(int value) {
    buffer.putInt(Integer.BYTES).putInt(value);
  }

  private void int8(long value) {
    buffer.putInt(Long.BYTES).putLong(value);
  }

  /** Posted and pending; zero is null, and nothing is pending. */
  private void counters(After account) {
    numericOrNull(account.debits());
    numericOrNull(account.credits());
    buffer.putInt(NULL_LENGTH);
    buffer.putInt(NULL_LENGTH);
  }

  private void numericOrNull(long value) {
    if (value == 0) {
      buffer.putInt(NULL_LENGTH);
    } else {
      numeric(value);
    }
  }

  /** Base-10,000 digits, the first one first, without zeros at the end. */
  private void numeric(long value) {
    short[] digits = new short[NUMERIC_DIGITS_MAX];
    int count = 0;
    for (long rest = value; rest != 0; rest /= NUMERIC_BASE) {
      digits[count++] = (short) (rest % NUMERIC_BASE);
    }
    int zeros = 0;
    while (zeros < count && digits[zeros] == 0) {
      zeros++;
    }
    buffer.putInt((4 + count - zeros) * Short.BYTES);
    buffer.putShort((short) (count - zeros));
    buffer.putShort((short) Math.max(0, count - 1)); // weight of the first digit
    buffer.putShort((short) 0); // sign: positive
    buffer.putShort((short) 0); // scale
    for (int i = count - 1; i >= zeros; i--) {
      buffer.putShort(digits[i]);
    }
  }
}
