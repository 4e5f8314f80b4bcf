package dev.partita.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: the command's thread is interrupted, stops taking on work, waits for what is
 * in flight, closes its ledger and stops the embedded server; only then the process ends.
 */
final class Interruption {

  private static final long PATIENCE_SECONDS = 30;

  private final Thread command;
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean begun;

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
        System.err.println("partita: still busy after " + PATIENCE_SECONDS + " s, ending anyway");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
