package dev.partita.postgres;

import dev.partita.Amount;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.Ids;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The columns of one record, in one order for either way of writing. */
final class RecordColumns {

  private static final String NAMES =
      "batch, recorded_at, debit_version, credit_version, debit_no, credit_no, batch_index, kind,"
          + " flags, id, amount, debit_debits_posted, debit_credits_posted,"
          + " debit_debits_pending, debit_credits_pending, credit_debits_posted,"
          + " credit_credits_posted, credit_debits_pending, credit_credits_pending, related_id,"
          + " group_id, group_index, group_size, code, timeout_seconds, effective_at, released,"
          + " maximum, reference, metadata";
  private static final List<String> NAME = List.of(NAMES.split(", ", -1));
  private static final List<String> TYPE =
      List.of(
          ("bigint timestamptz bigint bigint int int smallint smallint smallint uuid numeric numeric"
                  + " numeric numeric numeric numeric numeric numeric numeric uuid uuid int int int"
                  + " int timestamptz numeric numeric text jsonb")
              .split(" ", -1));
  private static final int COUNT = 30;

  /** The column that the server can fill in itself. */
  static final int RECORDED_AT = NAME.indexOf("recorded_at");

  /** Few, because each choice of columns is a statement of its own. */
  private static final BitSet MAY_BE_CONSTANT = columns("batch", "recorded_at", "kind", "flags");

  private static final Comparator<Row> BY_ID =
      (a, b) -> Ids.compareUnsigned(a.transfer().id(), b.transfer().id());

  private RecordColumns() {}

  private static BitSet columns(String... names) {
    BitSet columns = new BitSet();
    for (String name : names) {
      columns.set(NAME.indexOf(name));
    }
    return columns;
  }

  /** A record with its place in the batch and the numbers of its accounts. */
  record Row(Transfer transfer, long batch, int index, int debitNo, int creditNo) {}

  /**
   * An INSERT of rows that use some columns only. What is not sent need not be read: arrays of
   * nulls took longer than the rest. The arrays stand side by side in the list of columns, and not
   * in one {@code FROM unnest(…)}, which copies each of them to a store of its own first. Without a
   * time of recording it is {@code at} in {@code taken}, which has to be there.
   */
  static String insert(String schema, ArraySink.Shape shape) {
    StringBuilder names = new StringBuilder();
    StringBuilder values = new StringBuilder();
    if (!shape.has(RECORDED_AT)) {
      separate(names).append(NAME.get(RECORDED_AT));
      separate(values).append("(SELECT at FROM taken)");
    }
    shape.constant().stream().forEach(column -> add(column, false, names, values));
    shape.varying().stream().forEach(column -> add(column, !shape.single(), names, values));
    return "INSERT INTO " + schema + ".transfer (" + names + ") SELECT " + values + " ";
  }

  private static void add(int column, boolean array, StringBuilder names, StringBuilder values) {
    separate(names).append(NAME.get(column));
    separate(values)
        .append(array ? "unnest(?::" : "?::")
        .append(TYPE.get(column))
        .append(array ? "[])" : "");
  }

  private static StringBuilder separate(StringBuilder list) {
    return list.isEmpty() ? list : list.append(", ");
  }

  static String copy(String schema) {
    return "COPY " + schema + ".transfer (" + NAMES + ") FROM STDIN (FORMAT binary)";
  }

  /** The rows as one text for each column. */
  static ArraySink texts(List<Row> rows) {
    ArraySink sink = new ArraySink(COUNT, MAY_BE_CONSTANT);
    encodeAll(rows, sink);
    return sink;
  }

  /** Gives the rows to a sink in the order of their ids, which is the order of the index. */
  static void encodeAll(List<Row> rows, RowSink sink) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(BY_ID);
    sorted.forEach(row -> encode(row, sink));
  }

  static String timestamp(Instant instant) {
    // ISO with a year of four digits is what PostgreSQL reads; quoted nothing needs to be.
    return instant.toString();
  }

  private static void encode(Row row, RowSink sink) {
    Transfer transfer = row.transfer();
    TransferRequest request = transfer.request();
    sink.startRow(COUNT);
    sink.int8(row.batch());
    sink.timestamp(transfer.recordedAt());
    sink.int8(transfer.debitAfter().version());
    sink.int8(transfer.creditAfter().version());
    sink.int4(row.debitNo());
    sink.int4(row.creditNo());
    sink.int2((short) row.index());
    sink.int2(TransferRows.stored(transfer.kind()));
    sink.int2(TransferRows.flags(transfer));
    sink.uuid(transfer.id());
    sink.numeric(transfer.amount());
    counters(transfer.debitAfter().counters(), sink);
    counters(transfer.creditAfter().counters(), sink);
    sink.uuid(request.relatedId());
    GroupRef group = transfer.group();
    sink.uuid(group == null ? null : group.id());
    sink.int4OrNull(group == null ? null : Integer.valueOf(group.index()));
    sink.int4OrNull(group == null ? null : Integer.valueOf(group.size()));
    sink.int4OrNull(transfer.code() == 0 ? null : Integer.valueOf(transfer.code()));
    sink.int4OrNull(request.timeoutSeconds());
    sink.timestamp(request.effectiveAt());
    sink.numeric(nullIfZero(transfer.released()));
    sink.numeric(request.upTo() == UpTo.NONE ? null : Objects.requireNonNull(request.amount()));
    sink.text(transfer.reference());
    sink.json(MetadataJson.write(request.metadata()));
  }

  private static void counters(Counters counters, RowSink sink) {
    sink.numeric(nullIfZero(counters.debitsPosted()));
    sink.numeric(nullIfZero(counters.creditsPosted()));
    sink.numeric(nullIfZero(counters.debitsPending()));
    sink.numeric(nullIfZero(counters.creditsPending()));
  }

  private static @Nullable Amount nullIfZero(Amount amount) {
    return amount.isZero() ? null : amount;
  }
}
