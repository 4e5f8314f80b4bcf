package dev.partita.lab.run;

import dev.partita.lab.gate.Evidence;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.Operation;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches the first answers: a target that does not work is not offered more. An address without a
 * server fails fast, and would otherwise look like a fast server. Thread-safe.
 */
final class Beginning implements Observer {

  private static final long LOOKED_AT = 1_000;

  private final Observer next;
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  Beginning(Observer next) {
    this.next = next;
  }

  @Override
  public void ended(Operation operation, Answer answer) {
    if (operations.get() < LOOKED_AT) {
      operations.incrementAndGet();
      if (!answer.outcome().isAnswer()) {
        failed.incrementAndGet();
      }
    }
    next.ended(operation, answer);
  }

  @Override
  public boolean wantsMore() {
    return next.wantsMore()
        && (operations.get() < LOOKED_AT || failed.get() * 2 < operations.get());
  }

  Evidence.Beginning seen() {
    return new Evidence.Beginning(operations.get(), failed.get());
  }
}
