package dev.partita.embedded;

import dev.partita.UnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;

/** The steps from a configuration to a server that is proven durable. Used once. */
final class ServerStart {

  private static final System.Logger LOGGER = System.getLogger(ServerStart.class.getName());
  private static final int ATTEMPTS_MAX = 3;

  /** Causes that are gone, or can be dealt with, at the next attempt. */
  private static final List<String> PASSING_CAUSES =
      List.of(
          // A server orphaned so early that its file was not there when we looked.
          "lock file \"postmaster.pid\" already exists", "pre-existing shared memory block");

  private static final String PORT_TAKEN = "could not bind";

  private final EmbeddedPostgresConfig config;
  private final HostSystem host;
  private final Home home;

  /** What a successful start hands over; the lock is held. */
  record Started(
      Home home,
      DirectoryLock lock,
      Postmaster postmaster,
      String version,
      int port,
      Login superuser,
      Login owner,
      Login application) {}

  ServerStart(EmbeddedPostgresConfig config) {
    this.config = config;
    this.host = HostSystem.detect();
    this.home = Home.create(config.directory());
  }

  Started start() {
    try {
      // Before the lock file is made: a directory that is not ours stays as it is.
      home.examine(host);
      Binaries binaries = Binaries.prepare(host, config.binariesCache());
      return startLocked(binaries);
    } catch (IOException e) {
      throw Home.unusable(home.directory(), e);
    }
  }

  private Started startLocked(Binaries binaries) throws IOException {
    DirectoryLock lock = DirectoryLock.acquire(home);
    boolean isStarted = false;
    try {
      Started started = startServer(binaries, lock);
      isStarted = true;
      return started;
    } finally {
      if (!isStarted) {
        lock.close();
      }
    }
  }

  private Started startServer(Binaries binaries, DirectoryLock lock) throws IOException {
    Home.State state = home.examine(host);
    if (state == Home.State.COMPLETE) {
      home.checkedRecord(binaries);
    }
    home.deleteUnfinishedClusters();
    ServerUser user =
        ServerUser.choose(
            host,
            state == Home.State.COMPLETE ? home.data() : home.newClusterDirectory("none"),
            config.serverUser());
    if (state == Home.State.COMPLETE) {
      Files.deleteIfExists(home.initializingMarker());
      user.checkReach(home.data(), binaries.postgres());
    } else {
      LOGGER.log(Level.INFO, "making a new database in {0}", home.directory());
      new Cluster(home, binaries, user, config.startupTimeout()).make();
    }
    return startProven(binaries, user, lock);
  }

  private Started startProven(Binaries binaries, ServerUser user, DirectoryLock lock)
      throws IOException {
    OwnerRecord record = home.checkedRecord(binaries);
    Credentials credentials = Credentials.read(home.credentials());
    Launched launched = launch(binaries, user);
    boolean isProven = false;
    try {
      String url = jdbcUrl(launched.port());
      Login superuser = new Login(url, Credentials.SUPERUSER, credentials.superuserPassword());
      Login owner = new Login(url, Credentials.OWNER, credentials.ownerPassword());
      Login application =
          new Login(url, Credentials.APPLICATION, credentials.applicationPassword());
      DurabilityCheck.restore(superuser);
      for (Login login : List.of(owner, application)) {
        DurabilityCheck.verify(login, record);
      }
      isProven = true;
      return new Started(
          home,
          lock,
          launched.postmaster(),
          binaries.version(),
          launched.port(),
          superuser,
          owner,
          application);
    } catch (SQLException e) {
      throw Failures.unavailable(
          "PostgreSQL in "
              + home.directory()
              + " started but does not let us in: "
              + e.getMessage()
              + ". Were roles, passwords or pg_hba.conf changed? The end of its log:\n"
              + launched.postmaster().logTail(),
          e);
    } finally {
      if (!isProven) {
        launched.postmaster().stop(config.shutdownTimeout());
      }
    }
  }

  private record Launched(Postmaster postmaster, int port) {}

  private Launched launch(Binaries binaries, ServerUser user) throws IOException {
    Leftovers leftovers = new Leftovers(host, home.data(), config.shutdownTimeout());
    for (int attempt = 1; ; attempt++) {
      leftovers.settle();
      int port = choosePort();
      List<String> arguments =
          ServerSettings.arguments(config.settings(), host.durabilitySettings(), port);
      Postmaster postmaster = Postmaster.launch(host, home, binaries, user, arguments);
      boolean isReady = false;
      try {
        postmaster.awaitReady(config.startupTimeout());
        isReady = true;
        return new Launched(postmaster, port);
      } catch (UnavailableException e) {
        if (attempt == ATTEMPTS_MAX || !isWorthAnotherAttempt(postmaster.logTail())) {
          throw e;
        }
        LOGGER.log(
            Level.INFO, "PostgreSQL did not start and is tried once more: {0}", e.getMessage());
      } finally {
        if (!isReady) {
          postmaster.stop(config.shutdownTimeout());
        }
      }
    }
  }

  private boolean isWorthAnotherAttempt(String log) {
    boolean isPortRace = config.port().isEmpty() && log.contains(PORT_TAKEN);
    return isPortRace || PASSING_CAUSES.stream().anyMatch(log::contains);
  }

  /**
   * A free port may be taken before the server gets to it: then the start is repeated with another
   * one.
   */
  private int choosePort() throws IOException {
    int wanted = config.port().orElse(0);
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), wanted));
      return probe.getLocalPort();
    } catch (IOException e) {
      throw Failures.unavailable(
          "Port "
              + wanted
              + " on 127.0.0.1 is taken or not allowed ("
              + e.getMessage()
              + "). Choose another, or leave the port out for a free one.",
          e);
    }
  }

  /**
   * No encryption on the loopback interface, but never a password to a server that does not know
   * it.
   */
  private static String jdbcUrl(int port) {
    return "jdbc:postgresql://127.0.0.1:"
        + port
        + "/"
        + Cluster.DATABASE
        + "?sslmode=disable&gssEncMode=disable&requireAuth=scram-sha-256";
  }
}
