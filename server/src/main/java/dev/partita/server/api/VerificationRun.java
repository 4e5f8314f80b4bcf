package dev.partita.server.api;

import dev.partita.Ledger;
import dev.partita.VerifyReport;
import dev.partita.json.Verification;
import dev.partita.server.http.Failures;
import dev.partita.server.http.Problem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One verification. Runs on one thread; any thread may ask about it meanwhile. */
final class VerificationRun implements Runnable {

  private static final Logger LOGGER = System.getLogger(VerificationRun.class.getName());

  private final UUID id = UUID.randomUUID();
  private final Ledger ledger;
  private volatile Verification state =
      new Verification(id.toString(), Verification.State.RUNNING, 0, 0, null);
  private volatile @Nullable Problem failure;

  VerificationRun(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void run() {
    try {
      VerifyReport report =
          ledger.verify((done, total) -> state = at(Verification.State.RUNNING, done, total, null));
      Verification before = state;
      state = at(Verification.State.DONE, before.done(), before.total(), report);
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "verification " + id + " failed", e);
      failure = Failures.problem(e, Set.of());
      Verification before = state;
      state = at(Verification.State.FAILED, before.done(), before.total(), null);
    }
  }

  private Verification at(
      Verification.State newState, long done, long total, @Nullable VerifyReport report) {
    return new Verification(id.toString(), newState, done, total, report);
  }

  UUID id() {
    return id;
  }

  boolean isRunning() {
    return state.state() == Verification.State.RUNNING;
  }

  Verification state() {
    return state;
  }

  /** Why it failed; null unless it did. */
  @Nullable Problem failure() {
    return failure;
  }
}
