package dev.partita.embedded;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A running PostgreSQL that keeps what it acknowledged: through a kill of this JVM, of the server,
 * or of both.
 *
 * <p>Everything is kept in one directory, which one process uses at a time; see the module's README
 * for its layout. The server listens on the loopback interface only, and every role needs its
 * password. If the JVM is killed, the server goes on alone; the next start on the directory stops
 * it in good order and starts a new one.
 *
 * <p>All methods may be called from any thread.
 */
public final class EmbeddedPostgres implements AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(EmbeddedPostgres.class.getName());
  private static final Duration LOG_CHECK_INTERVAL = Duration.ofSeconds(30);

  private final EmbeddedPostgresConfig config;
  private final ServerStart.Started started;
  private final Thread exitHook = new Thread(this::close, "partita-postgres-stop");
  private final ReentrantLock closing = new ReentrantLock();
  private volatile boolean isClosed;

  private EmbeddedPostgres(EmbeddedPostgresConfig config, ServerStart.Started started) {
    this.config = config;
    this.started = started;
  }

  /**
   * Starts the server, making its database on the first start, and returns when it accepts
   * connections and was asked whether it runs durably.
   *
   * @throws MisuseException if another directory, account, machine or release is needed; the
   *     message says which and why. A directory that is not ours was not touched
   * @throws UnavailableException if the directory is in use, or the server did not start; the
   *     message carries the end of its log. Nothing is left running
   * @throws CorruptionException if files of the directory are missing or do not belong together
   */
  public static EmbeddedPostgres start(EmbeddedPostgresConfig config) {
    EmbeddedPostgres server = new EmbeddedPostgres(config, new ServerStart(config).start());
    server.watch();
    if (config.stopOnJvmExit()) {
      server.registerExitHook();
    }
    LOGGER.log(
        Level.INFO,
        "PostgreSQL {0} runs in {1}, port {2}, pid {3}",
        server.serverVersion(),
        server.directory(),
        Integer.toString(server.port()),
        Long.toString(server.pid()));
    return server;
  }

  /** The role that owns the database: creates schemas and migrates them. Not a superuser. */
  public Login owner() {
    return started.owner();
  }

  /**
   * The role that the ledger runs as. It may connect; everything else is for the owner to grant.
   */
  public Login application() {
    return started.application();
  }

  /**
   * The role that may do everything, for what an administrator does: settings, standbys, base
   * backups. It can change and remove records; a ledger never needs it.
   */
  public Login superuser() {
    return started.superuser();
  }

  /** Address of the ledger's database, for every role. */
  public String jdbcUrl() {
    return started.owner().jdbcUrl();
  }

  /** TCP port on 127.0.0.1. */
  public int port() {
    return started.port();
  }

  /** Process number of the server's main process. */
  public long pid() {
    return started.postmaster().pid();
  }

  /** Version of the server, such as 18.6. */
  public String serverVersion() {
    return started.version();
  }

  /** The directory that holds everything, without links. */
  public Path directory() {
    return started.home().directory();
  }

  /** PostgreSQL's own data directory, inside {@link #directory()}. */
  public Path dataDirectory() {
    return started.home().data();
  }

  /** What the server says. */
  public Path logFile() {
    return started.home().log();
  }

  /**
   * Whether the server's main process lives. It restarts its own crashed sessions; its own death is
   * final.
   */
  public boolean isRunning() {
    return started.postmaster().isAlive();
  }

  /**
   * Ends all sessions, stops the server and gives the directory free; returns when that is done.
   * Later calls do nothing. An interrupt does not cut it short and stays set.
   *
   * @throws UnavailableException if the server does not stop. The directory is free for another
   *     start, which waits for this server to go
   */
  @Override
  public void close() {
    closing.lock();
    try {
      if (isClosed) {
        return;
      }
      isClosed = true;
      removeExitHook();
      try {
        started.postmaster().stop(config.shutdownTimeout());
      } finally {
        started.lock().close();
      }
    } finally {
      closing.unlock();
    }
  }

  private void registerExitHook() {
    try {
      Runtime.getRuntime().addShutdownHook(exitHook);
    } catch (IllegalStateException e) {
      LOGGER.log(Level.DEBUG, "the JVM is ending already", e);
      close();
      throw e;
    }
  }

  private void removeExitHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException e) {
      LOGGER.log(Level.DEBUG, "the JVM is ending: this is the hook, or it finds the server closed");
    }
  }

  /** Keeps the log small and reports a death that nobody asked for. */
  private void watch() {
    Thread watcher = new Thread(this::watchUntilEnd, "partita-postgres-watch");
    watcher.setDaemon(true);
    watcher.start();
  }

  private void watchUntilEnd() {
    Postmaster postmaster = started.postmaster();
    try {
      while (!postmaster.awaitEnd(LOG_CHECK_INTERVAL)) {
        postmaster.log().boundQuietly();
      }
    } catch (InterruptedException e) {
      return;
    }
    if (!isClosed) {
      LOGGER.log(
          Level.ERROR,
          "PostgreSQL in {0} has ended with code {1}; nothing that was acknowledged is lost. Close this"
              + " server and start it again. The end of its log:\n{2}",
          directory(),
          postmaster.exitCode(),
          postmaster.logTail());
    }
  }
}
