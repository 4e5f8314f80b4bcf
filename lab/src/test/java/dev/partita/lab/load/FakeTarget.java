package dev.partita.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/** Workers that answer after a time that depends on how long the target has been up. */
final class FakeTarget {

  /** Longer than this is a stall. */
  private static final long STALL_NANOS = 10_000_000;

  private final long upSince = System.nanoTime();
  private final LongUnaryOperator busyUntil;
  private final LongAdder delayed = new LongAdder();

  /**
   * A target.
   *
   * @param busyUntil for a time since start when an operation begun then is answered, both in ns
   */
  FakeTarget(LongUnaryOperator busyUntil) {
    this.busyUntil = busyUntil;
  }

  /** One that freezes once: whatever is begun in between is answered at the end of it. */
  static FakeTarget frozen(long fromMillis, long toMillis) {
    long from = TimeUnit.MILLISECONDS.toNanos(fromMillis);
    long to = TimeUnit.MILLISECONDS.toNanos(toMillis);
    return new FakeTarget(at -> at >= from && at < to ? to : at);
  }

  List<Worker> workers(int count) {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      workers.add(
          new Worker() {
            @Override
            public Answer perform(Operation operation) {
              long begun = System.nanoTime() - upSince;
              long until = busyUntil.applyAsLong(begun);
              if (until - begun > STALL_NANOS) {
                delayed.increment();
              }
              for (long left = until - (System.nanoTime() - upSince);
                  left > 0 && !Thread.currentThread().isInterrupted();
                  left = until - (System.nanoTime() - upSince)) {
                LockSupport.parkNanos(left);
              }
              return Answer.committed(operation.size());
            }

            @Override
            public void close() {}
          });
    }
    return workers;
  }

  /** How many operations met a stall. */
  long delayed() {
    return delayed.sum();
  }

  /** One movement after another. */
  static Source movements() {
    return () -> new Operation(List.of(new Movement(UUID.randomUUID(), 1, 0, 1)));
  }
}
