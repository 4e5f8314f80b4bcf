package dev.partita.postgres;

import dev.partita.LedgerException;
import dev.partita.UnavailableException;
import dev.partita.postgres.BatchReport.Way;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Tells the listener, whatever it does. Safe for use by any number of threads. */
final class Reports {

  /** To nobody. */
  static final Reports NONE = new Reports(EngineListener.NONE, Duration.ZERO);

  private final EngineListener listener;
  private final boolean silent;
  private final long patienceNanos;

  /**
   * To a listener.
   *
   * @param patience what lies between a request's arrival and its deadline
   */
  Reports(EngineListener listener, Duration patience) {
    this.listener = listener;
    this.silent = listener.equals(EngineListener.NONE);
    this.patienceNanos = patience.toNanos();
  }

  /** A batch that began at {@code beganNanos} is recorded now. */
  void finished(Way way, List<Decision.Answered> answered, long beganNanos, long commitBeganNanos) {
    if (silent || answered.isEmpty()) {
      return;
    }
    long nowNanos = System.nanoTime();
    long waitedNanos = 0;
    for (Decision.Answered one : answered) {
      long arrivedNanos = one.ticket().deadlineNanos() - patienceNanos;
      waitedNanos = Math.max(waitedNanos, beganNanos - arrivedNanos);
    }
    BatchReport report =
        new BatchReport(
            way, answered, waitedNanos, nowNanos - beganNanos, nowNanos - commitBeganNanos);
    tell(to -> to.finished(report));
  }

  void sentInVain(int transfers) {
    tell(to -> to.sentInVain(transfers));
  }

  void reconnected() {
    tell(EngineListener::reconnected);
  }

  void commitUnknown() {
    tell(EngineListener::commitUnknown);
  }

  void unanswered(Ticket ticket, LedgerException failure) {
    if (failure instanceof UnavailableException e) {
      tell(to -> to.unanswered(e.reason(), e.outcome(), ticket.transfers()));
    }
  }

  private void tell(Consumer<EngineListener> what) {
    if (silent) {
      return;
    }
    try {
      what.accept(listener);
    } catch (RuntimeException e) {
      // A counter that fails must not cost anybody an answer.
      System.getLogger(Reports.class.getName()).log(Level.WARNING, "the listener failed", e);
    }
  }
}
