package dev.partita.validate.faults;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** One server of a {@link Trio}. For one thread. */
public final class Node {

  private static final String PASSWORDS = "partita.passwords";
  private static final String WAITING =
      "SELECT coalesce(max(pid), 0) FROM pg_stat_activity"
          + " WHERE application_name = ? AND wait_event = 'SyncRep' AND pid <> ?";

  private final String name;
  private final EmbeddedPostgresConfig config;
  private volatile @Nullable EmbeddedPostgres server;

  Node(String name, EmbeddedPostgresConfig config) {
    this.name = name;
    this.config = config;
  }

  /** What the others call it. */
  public String name() {
    return name;
  }

  Path directory() {
    return config.directory();
  }

  int port() {
    return config.port().orElseThrow();
  }

  EmbeddedPostgres server() {
    EmbeddedPostgres running = server;
    if (running == null) {
      throw new IllegalStateException("server " + name + " does not run");
    }
    return running;
  }

  void start() {
    server = EmbeddedPostgres.start(config);
  }

  /** Makes it a standby of another, from a fresh copy of that one, and starts it. */
  void startAsCopyOf(Node other) throws IOException, SQLException {
    Path data = other.server().dataDirectory();
    Path home = other.server().directory();
    Path copy = directory().resolve(home.relativize(data));
    if (Files.exists(directory())) {
      ScratchDirectory.delete(copy);
    } else {
      Files.copy(home, directory(), StandardCopyOption.COPY_ATTRIBUTES);
      for (String file : new String[] {"partita.properties", "partita.credentials"}) {
        Files.copy(
            home.resolve(file), directory().resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    try (Connection connection = other.server().superuser().connect()) {
      BaseBackup.take(connection, data, copy);
    }
    Login login = other.server().superuser();
    BaseBackup.write(
        copy, PASSWORDS, "127.0.0.1:*:*:%s:%s".formatted(login.user(), login.password()));
    BaseBackup.write(
        copy, "postgresql.auto.conf", "primary_conninfo = '" + conninfo(other) + "'\n");
    start();
  }

  /** Follows another server, or nobody. */
  void follow(@Nullable Node other) throws SQLException {
    execute(
        "ALTER SYSTEM SET primary_conninfo = '" + (other == null ? "" : conninfo(other)) + "'",
        "SELECT pg_reload_conf()");
  }

  private String conninfo(Node primary) {
    // In its data directory, which is where a server works; its log shows this text.
    return "host=127.0.0.1 port=%d user=%s passfile=%s application_name=%s sslmode=disable gssencmode=disable"
        .formatted(primary.port(), primary.server().superuser().user(), PASSWORDS, name);
  }

  /** Ends all of its processes at once, paused or not, as a power cut does. */
  public void kill() throws IOException, InterruptedException {
    EmbeddedPostgres running = server;
    if (running != null) {
      Processes.kill(running.pid());
      running.close();
      server = null;
    }
  }

  /** Ends its processes if there are any, even if this thread is interrupted. */
  void killForSure() {
    boolean interrupted = Thread.interrupted();
    while (true) {
      try {
        kill();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (IOException e) {
        System.getLogger(Node.class.getName())
            .log(System.Logger.Level.WARNING, "server " + name + " may go on", e);
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Halts all of its processes where they are; its connections stay open. */
  public void pause() throws IOException, InterruptedException {
    Processes.pause(server().pid());
  }

  /** Lets a paused server go on as if nothing had happened. */
  public void resume() throws IOException, InterruptedException {
    Processes.resume(server().pid());
  }

  /** Asks it something, as the superuser. */
  public String ask(String query) throws SQLException {
    try (Connection connection = server().superuser().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  /** Tells it something, as the superuser, each statement for itself. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = server().superuser().connect();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /**
   * The process number of a session whose commit waits for standbys, or 0.
   *
   * @param applicationName whose
   * @param other a process number that does not count
   */
  public long waiting(String applicationName, long other) throws SQLException {
    try (Connection connection = server().superuser().connect();
        PreparedStatement statement = connection.prepareStatement(WAITING)) {
      statement.setString(1, applicationName);
      statement.setLong(2, other);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** How far it has the log of whom it follows: bytes on its disk. */
  long received() throws SQLException {
    // The first is reset when another server is followed, and what was replayed was received.
    return Long.parseLong(
        ask(
            "SELECT (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())"
                + " - '0/0'::pg_lsn)::bigint"));
  }

  @Override
  public String toString() {
    return name;
  }
}
