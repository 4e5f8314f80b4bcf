package dev.partita.embedded;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running server: its main process, which we started. */
final class Postmaster {

  private static final System.Logger LOGGER = System.getLogger(Postmaster.class.getName());
  private static final Duration PATIENCE_BEFORE_NOTICE = Duration.ofSeconds(5);

  private final HostSystem host;
  private final Home home;
  private final ServerLog log;
  private final long logStart;
  private final Process process;

  private Postmaster(HostSystem host, Home home, ServerLog log, long logStart, Process process) {
    this.host = host;
    this.home = home;
    this.log = log;
    this.logStart = logStart;
    this.process = process;
  }

  /**
   * Starts the program itself and not pg_ctl: that one refuses to run as root and passes paths
   * through a shell unquoted.
   */
  static Postmaster launch(
      HostSystem host, Home home, Binaries binaries, ServerUser user, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(binaries.postgres().toString());
    command.add("-D");
    command.add(home.data().toString());
    command.addAll(arguments);
    ServerLog log = new ServerLog(home.log());
    long logStart = log.prepare();
    ProcessBuilder builder = Commands.builder(host.detached(user.command(command)));
    builder.redirectInput(Redirect.from(new File("/dev/null")));
    builder.redirectErrorStream(true);
    builder.redirectOutput(Redirect.appendTo(home.log().toFile()));
    return new Postmaster(host, home, log, logStart, builder.start());
  }

  /** The server's own number: every tool in between replaces itself by the next program. */
  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end, at most so long; true if it has ended. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  int exitCode() {
    return process.exitValue();
  }

  String logTail() {
    return log.tail(logStart);
  }

  ServerLog log() {
    return log;
  }

  /** Returns when the server accepts connections; fails as soon as it has ended. */
  void awaitReady(Duration timeout) throws IOException {
    Deadline deadline = Deadline.after(timeout);
    Deadline notice = Deadline.after(PATIENCE_BEFORE_NOTICE);
    boolean isNoticed = false;
    while (!isReady()) {
      if (!process.isAlive()) {
        throw Failures.unavailable(
            "PostgreSQL in "
                + home.directory()
                + " ended while starting, with code "
                + process.exitValue()
                + ". The end of "
                + log.file()
                + ":\n"
                + logTail());
      }
      if (Thread.currentThread().isInterrupted()) {
        throw Failures.unavailable(
            "Interrupted while PostgreSQL was starting in " + home.directory());
      }
      if (deadline.isOver()) {
        throw Failures.unavailable(
            "PostgreSQL in "
                + home.directory()
                + " was not ready within "
                + timeout.toSeconds()
                + " s. If it was recovering from a crash, allow more with startupTimeout. The end of "
                + log.file()
                + ":\n"
                + logTail());
      }
      if (!isNoticed && notice.isOver()) {
        isNoticed = true;
        LOGGER.log(
            Level.INFO,
            "PostgreSQL is still starting; after a crash it recovers from its log first");
      }
      Deadline.pause();
    }
  }

  private boolean isReady() throws IOException {
    return PostmasterFile.read(home.data())
        .filter(file -> file.pid() == pid() && file.isReady())
        .isPresent();
  }

  void stop(Duration timeout) {
    try {
      Shutdown.stop(host, pid(), process::isAlive, timeout);
    } catch (IOException e) {
      throw Failures.unavailable("PostgreSQL (pid " + pid() + ") could not be told to stop", e);
    }
  }
}
