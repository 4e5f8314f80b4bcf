package dev.partita.validate.faults;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Causes a fault again and again at random moments, on a thread of its own, until it is closed. */
public final class Trouble implements AutoCloseable {

  /** Something that goes wrong. */
  @FunctionalInterface
  public interface Fault {
    /** Causes it; answers how often it happened, mostly 1, or 0 if there was nothing to hit. */
    int cause() throws IOException, SQLException, InterruptedException;
  }

  private final SplittableRandom random;
  private final Duration min;
  private final Duration max;
  private final Fault fault;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicLong caused = new AtomicLong();
  private final FutureTask<Void> task = new FutureTask<>(this::loop);

  private Trouble(SplittableRandom random, Duration min, Duration max, Fault fault) {
    this.random = random;
    this.min = min;
    this.max = max;
    this.fault = fault;
  }

  /** Begins to cause a fault, with pauses of {@code min} to {@code max} in between. */
  public static Trouble begin(SplittableRandom random, Duration min, Duration max, Fault fault) {
    Trouble trouble = new Trouble(random, min, max, fault);
    Thread.ofVirtual().name("trouble").start(trouble.task);
    return trouble;
  }

  private Void loop() throws IOException, SQLException, InterruptedException {
    while (!ended.await(random.nextLong(min.toNanos(), max.toNanos() + 1), TimeUnit.NANOSECONDS)) {
      caused.addAndGet(fault.cause());
    }
    return null;
  }

  /** How often it happened so far. */
  public long caused() {
    return caused.get();
  }

  /**
   * Causes no more, and waits for what is being caused.
   *
   * @throws IllegalStateException if the fault could not be caused
   */
  @Override
  public void close() {
    ended.countDown();
    boolean interrupted = false;
    while (true) {
      try {
        task.get();
        break;
      } catch (ExecutionException e) {
        throw new IllegalStateException("a fault could not be caused: " + e.getCause(), e);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
