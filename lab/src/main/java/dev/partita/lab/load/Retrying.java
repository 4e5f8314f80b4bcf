package dev.partita.lab.load;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Tries again what failed through no fault of its own, as a careful client does, after a pause of
 * chance between nothing and a bound that doubles (full jitter). The pauses and all attempts are
 * inside one response time, since the caller waits for the last of them.
 *
 * <p>Repeated are CONFLICT and TRANSIENT. An INDETERMINATE operation may have been made: it is only
 * repeated where ids are unique, and then the answer to the repeat counts, REPLAYED if it had been
 * made. Where no repeat is answered the operation stays INDETERMINATE.
 */
public final class Retrying implements Worker {

  /** Attempts at most, the first one included. */
  public static final int ATTEMPTS_MAX = 10;

  private static final long FIRST_PAUSE_NANOS = 1_000_000;

  private final Worker worker;
  private final Set<Outcome> repeated;
  private final Attempts attempts;
  private final SplittableRandom random;
  private final LongConsumer pauseNanos;

  private Retrying(
      Worker worker,
      Set<Outcome> repeated,
      Attempts attempts,
      SplittableRandom random,
      LongConsumer pauseNanos) {
    this.worker = worker;
    this.repeated = repeated;
    this.attempts = attempts;
    this.random = random;
    this.pauseNanos = pauseNanos;
  }

  /**
   * Wraps a worker, which is closed with this.
   *
   * @param idsAreUnique whether an operation sent twice is made once
   * @param attempts counts them; see {@link #ATTEMPTS_MAX}
   * @param seed of the pauses
   */
  public static Worker of(Worker worker, boolean idsAreUnique, Attempts attempts, long seed) {
    return of(worker, idsAreUnique, attempts, seed, LockSupport::parkNanos);
  }

  static Worker of(
      Worker worker, boolean idsAreUnique, Attempts attempts, long seed, LongConsumer pauseNanos) {
    Set<Outcome> repeated = EnumSet.of(Outcome.CONFLICT, Outcome.TRANSIENT);
    if (idsAreUnique) {
      repeated.add(Outcome.INDETERMINATE);
    }
    return new Retrying(worker, repeated, attempts, new SplittableRandom(seed), pauseNanos);
  }

  @Override
  public Threads threads() {
    return worker.threads();
  }

  @Override
  public Answer perform(Operation operation) {
    boolean mayBeMade = false;
    for (int attempt = 1; ; attempt++) {
      Answer answer = worker.perform(operation);
      mayBeMade |= answer.outcome() == Outcome.INDETERMINATE;
      boolean last = attempt == attempts.most() || Thread.currentThread().isInterrupted();
      if (last || !repeated.contains(answer.outcome())) {
        attempts.ended(attempt);
        return mayBeMade && !answer.outcome().isAnswer()
            ? Answer.failed(Outcome.INDETERMINATE)
            : answer;
      }
      pauseNanos.accept(random.nextLong(FIRST_PAUSE_NANOS << (attempt - 1)));
    }
  }

  @Override
  public void close() {
    worker.close();
  }
}
