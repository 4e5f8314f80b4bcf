package dev.partita.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: the command's thread is interrupted, stops taking on work, waits for what is
 * in flight, closes its ledger and stops the embedded server; only then the process ends.
 */
final class Interruption {

  private static final long PATIENCE_SECONDS = 10;

  /** Once it was helped on, a command may still have much to take away. */
  private static final long LAST_PATIENCE_SECONDS = 30;

  private final Thread command;
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean begun;
  private volatile AutoCloseable watched = () -> {};

  private Interruption(Thread command) {
    this.command = command;
  }

  /** Watches over the calling thread from now on. */
  static Interruption ofThisThread() {
    Interruption interruption = new Interruption(Thread.currentThread());
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().name("partita-interruption").unstarted(interruption::interrupt));
    return interruption;
  }

  /** Closes this if the command does not end by itself. */
  void watch(AutoCloseable opened) {
    watched = opened;
  }

  /** Whether the process is being ended from outside. */
  boolean begun() {
    return begun;
  }

  /** The command has ended and let go of everything. */
  void finished() {
    finished.countDown();
  }

  private void interrupt() {
    if (finished.getCount() == 0) {
      return;
    }
    begun = true;
    command.interrupt();
    try {
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        // Stuck in one long statement: it ends with its connection.
        watched.close();
        finished.await(LAST_PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      System.err.println("partita: could not close in good order: " + e.getMessage());
    }
  }
}
