package dev.partita.postgres;

import dev.partita.TransferStatus;

/**
 * What became of one batch of a lane. Immutable. Times are in nanoseconds, measured by this
 * process.
 */
public final class BatchReport {

  private static final int STATUSES = TransferStatus.values().length;

  /** How a batch was decided. */
  public enum Way {
    /** On what was known, in one round trip: nobody else had recorded anything meanwhile. */
    AHEAD,
    /** On what was looked up under locks, in two round trips or three. */
    LOCKED,
    /** Nothing but repeats of what is recorded, looked up without locks in one round trip. */
    REPEATS
  }

  private final Way way;
  private final int requests;
  private final int[] counts = new int[STATUSES];
  private int transfers;
  private final long waitedNanos;
  private final long tookNanos;
  private final long commitNanos;

  BatchReport(
      Way way,
      Iterable<Decision.Answered> answered,
      long waitedNanos,
      long tookNanos,
      long commitNanos) {
    int answers = 0;
    for (Decision.Answered one : answered) {
      answers++;
      for (var item : one.result().items()) {
        for (var result : item.transfers()) {
          counts[place(result.status())]++;
          transfers++;
        }
      }
    }
    this.way = way;
    this.requests = answers;
    this.waitedNanos = waitedNanos;
    this.tookNanos = tookNanos;
    this.commitNanos = commitNanos;
  }

  /** How it was decided. */
  public Way way() {
    return way;
  }

  /** How many requests it answers. */
  public int requests() {
    return requests;
  }

  /** How many transfers it answers. */
  public int transfers() {
    return transfers;
  }

  /**
   * How many transfers it answers with a status. {@link TransferStatus#EXISTS} are the repeats;
   * expiries of holds, made by the ledger itself, are among {@link TransferStatus#CREATED}.
   */
  public int transfers(TransferStatus status) {
    return counts[place(status)];
  }

  /** How long its oldest request had waited when the batch was begun, in the queue or set aside. */
  public long waitedNanos() {
    return waitedNanos;
  }

  /** From its beginning until it was recorded. */
  public long tookNanos() {
    return tookNanos;
  }

  /** Of that, the last round trip: insert and commit, with the server's write to disk. */
  public long commitNanos() {
    return commitNanos;
  }

  @SuppressWarnings("EnumOrdinal") // counts of one batch by place; nothing of it is stored
  private static int place(TransferStatus status) {
    return status.ordinal();
  }
}
