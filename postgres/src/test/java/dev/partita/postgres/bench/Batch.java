package dev.partita.postgres.bench;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;

/**
 * One batch: the requests, the accounts they touch with their state, and the records decided from
 * both. Counters fit a long here; the engine's have 128 bits.
 */
final class Batch {
  static final int DEBITS_POSTED = 0;
  static final int CREDITS_POSTED = 1;
  static final int COUNTERS = 4;

  private static final int UUID_OID = 2950;
  private static final int NUMERIC_OID = 1700;
  private static final short KIND_DIRECT = 1;

  final Transfer[] transfers;

  /** Numbers of the accounts touched, ascending, each once. */
  final int[] accounts;

  /** Per account: the state read, then after {@link #decide} the state to be written. */
  final long[] versions;

  final long[][] counters;

  long number;
  long recordedAtMicros;

  private final long[] debitVersions;
  private final long[] creditVersions;
  private final long[][] countersAfter;

  Batch(Transfer[] transfers) {
    this.transfers = transfers;
    int[] named = new int[2 * transfers.length];
    for (int i = 0; i < transfers.length; i++) {
      named[2 * i] = transfers[i].debit();
      named[2 * i + 1] = transfers[i].credit();
    }
    this.accounts = sortedDistinct(named);
    this.versions = new long[accounts.length];
    this.counters = new long[COUNTERS][accounts.length];
    this.debitVersions = new long[transfers.length];
    this.creditVersions = new long[transfers.length];
    this.countersAfter = new long[2 * COUNTERS][transfers.length];
  }

  private static int[] sortedDistinct(int[] values) {
    Arrays.sort(values);
    int kept = 0;
    for (int i = 0; i < values.length; i++) {
      if (i == 0 || values[i] != values[i - 1]) {
        values[kept++] = values[i];
      }
    }
    return Arrays.copyOf(values, kept);
  }

  int size() {
    return transfers.length;
  }

  int indexOf(int account) {
    return Arrays.binarySearch(accounts, account);
  }

  /**
   * Applies the transfers to the state. Rows go in id order, which keeps the primary key's inserts
   * together; the order inside a batch is free, so versions follow it too.
   */
  void decide() {
    Arrays.sort(
        transfers,
        Comparator.comparing(Transfer::idHigh, Long::compareUnsigned)
            .thenComparing(Transfer::idLow, Long::compareUnsigned));
    for (int i = 0; i < transfers.length; i++) {
      Transfer transfer = transfers[i];
      int debit = indexOf(transfer.debit());
      int credit = indexOf(transfer.credit());
      counters[DEBITS_POSTED][debit] =
          Math.addExact(counters[DEBITS_POSTED][debit], transfer.amount());
      counters[CREDITS_POSTED][credit] =
          Math.addExact(counters[CREDITS_POSTED][credit], transfer.amount());
      debitVersions[i] = ++versions[debit];
      creditVersions[i] = ++versions[credit];
      for (int c = 0; c < COUNTERS; c++) {
        countersAfter[c][i] = counters[c][debit];
        countersAfter[COUNTERS + c][i] = counters[c][credit];
      }
    }
  }

  /** Ids in the order of the transfers: binary, written with {@code out}, or as objects. */
  Object ids(boolean binary, PgBinary out) {
    if (!binary) {
      UUID[] ids = new UUID[transfers.length];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = new UUID(transfers[i].idHigh(), transfers[i].idLow());
      }
      return ids;
    }
    out.clear().reserve(20 + 20 * transfers.length);
    out.arrayHeader(UUID_OID, transfers.length, false);
    for (Transfer transfer : transfers) {
      out.uuidField(transfer.idHigh(), transfer.idLow());
    }
    return out.asParameter("_uuid");
  }

  /** A NUMERIC array; zero becomes NULL on request. */
  static Object numerics(boolean binary, PgBinary out, long[] values, boolean zeroAsNull) {
    if (!binary) {
      BigDecimal[] numerics = new BigDecimal[values.length];
      for (int i = 0; i < values.length; i++) {
        numerics[i] = zeroAsNull && values[i] == 0 ? null : BigDecimal.valueOf(values[i]);
      }
      return numerics;
    }
    out.clear().reserve(20 + 24 * values.length);
    out.arrayHeader(NUMERIC_OID, values.length, zeroAsNull);
    for (long value : values) {
      if (zeroAsNull) {
        out.counterField(value);
      } else {
        out.numericField(value);
      }
    }
    return out.asParameter("_numeric");
  }

  short[] kinds() {
    short[] kinds = new short[transfers.length];
    Arrays.fill(kinds, KIND_DIRECT);
    return kinds;
  }

  short[] flags() {
    return new short[transfers.length];
  }

  int[] debits() {
    return Arrays.stream(transfers).mapToInt(Transfer::debit).toArray();
  }

  int[] credits() {
    return Arrays.stream(transfers).mapToInt(Transfer::credit).toArray();
  }

  long[] amounts() {
    return Arrays.stream(transfers).mapToLong(Transfer::amount).toArray();
  }

  long[] debitVersions() {
    return debitVersions;
  }

  long[] creditVersions() {
    return creditVersions;
  }

  /** Counter after each record: 0 … 3 of the debit account, 4 … 7 of the credit account. */
  long[] counterAfter(int index) {
    return countersAfter[index];
  }

  /** Appends row {@code i} as one COPY BINARY tuple. */
  void appendCopyRow(PgBinary out, int i) {
    Transfer transfer = transfers[i];
    out.reserve(18 * 4 + 2 + 9 * 24 + 72);
    out.putShort(18).uuidField(transfer.idHigh(), transfer.idLow());
    out.int2Field(KIND_DIRECT).int2Field(0).int8Field(number);
    out.int4Field(transfer.debit()).int4Field(transfer.credit());
    out.int8Field(debitVersions[i]).int8Field(creditVersions[i]);
    out.numericField(transfer.amount());
    for (long[] counter : countersAfter) {
      out.counterField(counter[i]);
    }
    out.int8Field(recordedAtMicros);
  }
}
