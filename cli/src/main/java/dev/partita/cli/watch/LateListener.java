package dev.partita.cli.watch;

import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.BatchReport;
import dev.partita.postgres.EngineListener;

/** Passes on what a ledger tells, once somebody listens: most commands never do. */
public final class LateListener implements EngineListener {

  private volatile EngineListener listener = EngineListener.NONE;

  /** From now on, tells this one. */
  public void tell(EngineListener newListener) {
    listener = newListener;
  }

  @Override
  public void finished(BatchReport batch) {
    listener.finished(batch);
  }

  @Override
  public void sentInVain(int transfers) {
    listener.sentInVain(transfers);
  }

  @Override
  public void reconnected() {
    listener.reconnected();
  }

  @Override
  public void commitUnknown() {
    listener.commitUnknown();
  }

  @Override
  public void unanswered(Reason reason, Outcome outcome, int transfers) {
    listener.unanswered(reason, outcome, transfers);
  }
}
