package dev.partita.lab.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Workers to be borrowed, as connections are from a pool. Thread-safe. */
final class Workers {

  private final BlockingQueue<Worker> idle;

  Workers(List<Worker> workers) {
    this.idle = new LinkedBlockingQueue<>(workers);
  }

  /** One, or null if none came free in time, or there is no time left. */
  @Nullable Worker borrow(Duration patience) throws InterruptedException {
    return patience.isNegative() ? null : idle.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  void giveBack(Worker worker) {
    idle.add(worker);
  }
}
