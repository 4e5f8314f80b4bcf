package dev.partita.postgres.bench;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** One request and its answer: the caller parks until the batch that carried it has committed. */
final class Transfer {
  private static final long NOT_ANSWERED = 0;
  private static final long FAILED = -1;

  private final long idHigh;
  private final long idLow;
  private final int debit;
  private final int credit;
  private final long amount;
  private final Thread caller = Thread.currentThread();
  private volatile long committedIn = NOT_ANSWERED;

  Transfer(int debit, int credit, long amount) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    // UUID version 7: 48 bits of milliseconds, version, 12 random bits; variant, 62 random bits.
    this.idHigh = System.currentTimeMillis() << 16 | 0x7000 | random.nextInt(1 << 12);
    this.idLow = random.nextLong() >>> 2 | Long.MIN_VALUE;
    this.debit = debit;
    this.credit = credit;
    this.amount = amount;
  }

  long idHigh() {
    return idHigh;
  }

  long idLow() {
    return idLow;
  }

  int debit() {
    return debit;
  }

  int credit() {
    return credit;
  }

  long amount() {
    return amount;
  }

  void committed(long batch) {
    committedIn = batch;
    LockSupport.unpark(caller);
  }

  void failed() {
    committed(FAILED);
  }

  /** Waits for the commit; false if the lane gave up. */
  boolean await() {
    while (committedIn == NOT_ANSWERED) {
      LockSupport.park(this);
    }
    return committedIn != FAILED;
  }
}
