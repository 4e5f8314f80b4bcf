package dev.partita.lab.load;

import dev.partita.lab.arrival.Arrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A target that answers at once: what it is offered is what the generator itself can do. */
public final class NoOpTarget {

  private static final Operation OPERATION =
      new Operation(List.of(new Movement(new UUID(0, 1), 1, 0, 1)));

  /** More than any generator can offer, so that it is late all the time. */
  private static final double RATE = 1e6;

  private static final int WORKERS = 64;
  private static final double NANOS_PER_SECOND = 1e9;

  private NoOpTarget() {}

  /**
   * The generator's own limit in an open loop, where each operation has a thread of its own.
   *
   * @param length of the schedule; it takes a few times longer to offer
   * @return operations a second
   */
  public static double openLoopLimit(Duration length) throws InterruptedException {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(new AtOnce());
    }
    long begin = System.nanoTime();
    Measured measured =
        OpenLoop.run(
            workers,
            () -> OPERATION,
            Arrivals.constant(RATE),
            new OpenLoop.Limits(Integer.MAX_VALUE, Duration.ofSeconds(30)),
            Window.of(Duration.ZERO, length),
            Observer.NOBODY);
    return measured.offered() * NANOS_PER_SECOND / (System.nanoTime() - begin);
  }

  private static final class AtOnce implements Worker {
    @Override
    public Answer perform(Operation operation) {
      return Answer.committed(1);
    }

    @Override
    public void close() {}
  }
}
