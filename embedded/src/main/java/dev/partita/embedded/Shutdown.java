package dev.partita.embedded;

import dev.partita.embedded.HostSystem.Signal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Ends a server without losing a commit. */
final class Shutdown {

  private static final System.Logger LOGGER = System.getLogger(Shutdown.class.getName());

  /** The server itself kills its processes five seconds after an immediate shutdown. */
  private static final Duration IMMEDIATE_TIMEOUT = Duration.ofSeconds(20);

  private Shutdown() {}

  /** Fast first; when that takes too long, immediate, which costs a recovery at the next start. */
  static void stop(HostSystem host, long pid, BooleanSupplier isAlive, Duration fastTimeout)
      throws IOException {
    if (isGoneAfter(host, pid, Signal.FAST_SHUTDOWN, isAlive, fastTimeout)) {
      return;
    }
    LOGGER.log(
        Level.WARNING,
        "PostgreSQL (pid {0}) did not finish its shutdown within {1} s and is told to stop at once; the next"
            + " start will recover from its log",
        Long.toString(pid),
        fastTimeout.toSeconds());
    if (!isGoneAfter(host, pid, Signal.IMMEDIATE_SHUTDOWN, isAlive, IMMEDIATE_TIMEOUT)) {
      throw Failures.unavailable(
          "PostgreSQL (pid "
              + pid
              + ") does not stop; is its disk hanging? Do not start another server on"
              + " its directory before it is gone.");
    }
  }

  private static boolean isGoneAfter(
      HostSystem host, long pid, Signal signal, BooleanSupplier isAlive, Duration timeout)
      throws IOException {
    if (!isAlive.getAsBoolean()) {
      return true;
    }
    host.signal(pid, signal);
    return isGone(isAlive, timeout);
  }

  /** Waits until the condition ends; false if it still holds after the timeout. */
  static boolean isGone(BooleanSupplier isAlive, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    while (isAlive.getAsBoolean()) {
      if (deadline.isOver()) {
        return false;
      }
      Deadline.pause();
    }
    return true;
  }
}
