package dev.partita.postgres;

import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;

/**
 * Told what a ledger's lanes do, so that a program can count it with the metrics library of its
 * choice. What can be read at any time, such as the length of the queue, is {@link
 * PostgresLedger#engineState()} instead.
 *
 * <ol>
 *   <li>A lane calls it once for a batch, never for a transfer, and before the batch's callers have
 *       their answers: it must be quick and must not wait.
 *   <li>Several threads call it at once: two for each lane, and those of callers.
 *   <li>What it throws is logged and forgotten.
 *   <li>Transfers that are posted inside a caller's own transaction are not told: whether they are
 *       recorded is decided later, by the caller.
 * </ol>
 */
public interface EngineListener {

  /** Listens to nothing; what a ledger has if nothing else is said. */
  EngineListener NONE = new EngineListener() {};

  /** A batch has been recorded, and its answers are final. */
  default void finished(BatchReport batch) {}

  /**
   * A batch was decided and sent before it was known what others had recorded meanwhile, and was
   * not recorded: it is decided again, and told as {@link #finished} then.
   *
   * @param transfers of the batch
   */
  default void sentInVain(int transfers) {}

  /** A lane has lost its connection, or given it up, and has connected again. */
  default void reconnected() {}

  /** A commit had no answer; the lane looks up what became of it. */
  default void commitUnknown() {}

  /**
   * A request was answered with an {@link dev.partita.UnavailableException}.
   *
   * @param transfers of the request
   */
  default void unanswered(Reason reason, Outcome outcome, int transfers) {}
}
