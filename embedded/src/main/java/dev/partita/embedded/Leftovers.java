package dev.partita.embedded;

import dev.partita.embedded.HostSystem.Signal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Deals with what is left when a JVM or a server was killed. The caller holds the directory's lock,
 * so no living Partita uses a server that is found here.
 *
 * <ul>
 *   <li>A server without its JVM is stopped and not taken over: it may have other settings, another
 *       port or another minor version than were asked for now.
 *   <li>Server processes without a server leave by themselves when they next look; one that
 *       computes may take long, and is then told to quit. No new server may start before: both
 *       would write the same files.
 *   <li>Any other process is left alone, even if a stale file names its number.
 * </ul>
 */
final class Leftovers {

  private static final System.Logger LOGGER = System.getLogger(Leftovers.class.getName());
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration QUIT_TIMEOUT = Duration.ofSeconds(20);

  private final HostSystem host;
  private final Path data;
  private final Duration shutdownTimeout;

  Leftovers(HostSystem host, Path data, Duration shutdownTimeout) {
    this.host = host;
    this.data = data;
    this.shutdownTimeout = shutdownTimeout;
  }

  /** When this returns, no server process works in the data directory. */
  void settle() throws IOException {
    if (!Files.exists(PostmasterFile.in(data))) {
      // A server removes this file as its last act, after its processes have gone.
      return;
    }
    Optional<PostmasterFile> file = PostmasterFile.read(data);
    if (file.isPresent() && isServer(file.get().pid())) {
      long pid = file.get().pid();
      LOGGER.log(
          Level.WARNING,
          "a PostgreSQL (pid {0}) that outlived its program still runs on {1}: stopping it",
          Long.toString(pid),
          data);
      Shutdown.stop(host, pid, () -> isServer(pid), shutdownTimeout);
    }
    awaitEmptiness();
    removeStaleFile();
  }

  private boolean isServer(long pid) {
    return host.serverProcessesIn(data).contains(pid);
  }

  private void awaitEmptiness() throws IOException {
    if (Shutdown.isGone(() -> !host.serverProcessesIn(data).isEmpty(), LEAVE_TIMEOUT)) {
      return;
    }
    List<Long> pids = host.serverProcessesIn(data);
    LOGGER.log(
        Level.WARNING,
        "processes of a killed PostgreSQL still work on {0}: {1} are told to quit",
        data,
        pids);
    for (long pid : pids) {
      host.signal(pid, Signal.IMMEDIATE_SHUTDOWN);
    }
    if (!Shutdown.isGone(() -> !host.serverProcessesIn(data).isEmpty(), QUIT_TIMEOUT)) {
      throw Failures.unavailable(
          "Processes of a killed PostgreSQL still work on "
              + data
              + ": "
              + host.serverProcessesIn(data)
              + ". They must end before it can start again; is the disk hanging?");
    }
  }

  /**
   * PostgreSQL refuses to start if the number in the file belongs to a process of its user,
   * whatever that process is. We know by now that it is not a server on this data. If the process
   * is gone, the server sees that itself.
   */
  private void removeStaleFile() throws IOException {
    Optional<PostmasterFile> file = PostmasterFile.read(data);
    if (file.isPresent() && ProcessHandle.of(file.get().pid()).isPresent()) {
      LOGGER.log(
          Level.INFO,
          "{0} names pid {1}, which now belongs to another program: removing the file",
          PostmasterFile.in(data),
          Long.toString(file.get().pid()));
      Files.deleteIfExists(PostmasterFile.in(data));
    }
  }
}
