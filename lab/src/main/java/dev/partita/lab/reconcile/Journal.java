package dev.partita.lab.reconcile;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.Operation;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** What clients know of every transfer after a run. Kept in memory; safe for many threads. */
public final class Journal implements Observer {

  /** What must be stored. */
  enum Expected {
    /** It was acknowledged. */
    STORED,
    /** It was refused, or never sent to be committed. */
    ABSENT,
    /** Nobody knows. */
    EITHER
  }

  /** One transfer and what must have become of it. */
  record Line(Movement movement, Expected expected) {}

  private final Map<UUID, Line> lines = new ConcurrentHashMap<>();

  @Override
  public void ended(Operation operation, Answer answer) {
    Expected expected = expected(operation, answer);
    for (Movement each : operation.movements()) {
      // What was acknowledged once stays so, whatever a repeat is told.
      lines.merge(
          each.id(),
          new Line(each, expected),
          (before, now) -> before.expected() == Expected.STORED ? before : now);
    }
  }

  private static Expected expected(Operation operation, Answer answer) {
    return switch (answer.outcome()) {
      case COMMITTED, REPLAYED, REJECTED -> {
        int stored = answer.committed() + answer.replayed();
        if (stored == operation.size()) {
          yield Expected.STORED;
        }
        // Of a batch that was made in part the client knows only how many.
        yield stored == 0 ? Expected.ABSENT : Expected.EITHER;
      }
      case CONFLICT, TIMEOUT, TRANSIENT, DROPPED -> Expected.ABSENT;
      case INDETERMINATE, ERROR, UNFINISHED -> Expected.EITHER;
    };
  }

  /** Every transfer, in no order. */
  Iterable<Line> lines() {
    return lines.values();
  }

  /** How many transfers it knows. */
  public int size() {
    return lines.size();
  }
}
