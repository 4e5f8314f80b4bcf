package dev.partita.cli.ingest;

import dev.partita.Amount;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What became of the rows: every row read is counted exactly once, as created, existing, refused or
 * malformed. Safe for use by several threads.
 */
public final class Tally {

  /** Most rejected rows that are listed; all are counted. */
  public static final int REJECTIONS_MAX = 1_000;

  /**
   * A row that was not taken.
   *
   * @param line where it begins
   * @param status why: MALFORMED, or the status of the refusal
   * @param detail in words
   */
  public record Rejection(long line, String status, String detail) {}

  private final Function<TransferRequest, String> bucket;
  private final Consumer<Rejection> rejected;
  private final Map<TransferStatus, Long> byStatus = new EnumMap<>(TransferStatus.class);
  private final Map<String, BigInteger> sums = new TreeMap<>();
  private final List<Rejection> rejections = new ArrayList<>();
  private long read;
  private long malformed;

  /**
   * An empty tally.
   *
   * @param bucket under which name a recorded transfer's amount is summed
   * @param rejected told of every row that was not taken
   */
  public Tally(Function<TransferRequest, String> bucket, Consumer<Rejection> rejected) {
    this.bucket = bucket;
    this.rejected = rejected;
  }

  synchronized void read() {
    read++;
  }

  synchronized void malformed(long line, String problem) {
    malformed++;
    reject(new Rejection(line, "MALFORMED", problem));
  }

  synchronized void answered(Row row, TransferResult result) {
    byStatus.merge(result.status(), 1L, Long::sum);
    if (result.transfer() != null) {
      Amount moved = result.transfer().amount();
      sums.merge(bucket.apply(row.request()), moved.toBigInteger(), BigInteger::add);
      return;
    }
    String detail = "transfer " + result.id();
    if (result.account() != null) {
      detail = "account " + result.account();
    } else if (result.field() != null) {
      detail = "differs from the record " + result.id() + " in " + result.field().text();
    }
    reject(new Rejection(row.line(), result.status().name(), detail));
  }

  private void reject(Rejection rejection) {
    if (rejections.size() < REJECTIONS_MAX) {
      rejections.add(rejection);
    }
    rejected.accept(rejection);
  }

  /** Rows read. */
  public synchronized long rows() {
    return read;
  }

  /** Rows that were recorded now. */
  public synchronized long created() {
    return count(TransferStatus.CREATED);
  }

  /** Rows that had been recorded before. */
  public synchronized long exists() {
    return count(TransferStatus.EXISTS);
  }

  /** Rows that the ledger refused. */
  public synchronized long refused() {
    return byStatus.values().stream().mapToLong(Long::longValue).sum() - created() - exists();
  }

  /** Rows that could not be understood. */
  public synchronized long malformed() {
    return malformed;
  }

  /** Rows that have their answer. */
  public synchronized long answered() {
    return created() + exists() + refused() + malformed;
  }

  /** Refusals by their status, in the order of the rules. */
  public synchronized Map<TransferStatus, Long> refusals() {
    Map<TransferStatus, Long> refusals = new EnumMap<>(TransferStatus.class);
    byStatus.forEach(
        (status, count) -> {
          if (!status.isRecorded()) {
            refusals.put(status, count);
          }
        });
    return refusals;
  }

  /** Sums of the recorded amounts in minor units, by bucket. */
  public synchronized Map<String, BigInteger> sums() {
    return new TreeMap<>(sums);
  }

  /** The first rows that were not taken. */
  public synchronized List<Rejection> rejections() {
    return List.copyOf(rejections);
  }

  private long count(TransferStatus status) {
    return byStatus.getOrDefault(status, 0L);
  }
}
