package dev.partita.lab.run;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDatabase;
import dev.partita.lab.contender.Arena;
import dev.partita.lab.experiment.Emulation;
import dev.partita.lab.server.HealthWatch;
import dev.partita.lab.server.SessionSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The database that experiments run on: an embedded server made for it, or one that is there
 * already. Each cell gets a schema of its own and leaves nothing behind. For one thread.
 */
public final class LabDatabase implements AutoCloseable {

  private static final int DEFAULT_PORT = 5432;

  private final ScratchDatabase database;
  private final Map<Duration, LongWire> wires = new HashMap<>();
  private final List<String> leftBehind = new ArrayList<>();
  private int schemas;

  private LabDatabase(ScratchDatabase database) {
    this.database = database;
  }

  /**
   * A new embedded server, with commits as durable as PostgreSQL makes them.
   *
   * <p>It goes on when the process ends, unless this was closed before.
   *
   * @param parent where its directory is made; it is gone when this is closed
   */
  public static LabDatabase embedded(Path parent) throws IOException, SQLException {
    // An end of the process first ends the load: one that loses its server waits for it in vain.
    ScratchDatabase database =
        ScratchDatabase.embedded(parent, "lab", settings -> settings.stopOnJvmExit(false));
    try {
      SessionSettings.allowSlowCommit(database.server().orElseThrow());
    } catch (SQLException | RuntimeException e) {
      database.close();
      throw e;
    }
    return new LabDatabase(database);
  }

  /** A database that is there; {@code login} must be allowed to make schemas in it. */
  public static LabDatabase given(Login login) {
    return new LabDatabase(ScratchDatabase.given(login, "partita_lab"));
  }

  /** Who works in it. */
  public Login login() {
    return database.owner();
  }

  /** The same with settings of every session. */
  Login login(Map<String, String> session) {
    return SessionSettings.on(login(), session);
  }

  /** What it is, in words. */
  String kind() {
    return database.server().isPresent() ? "embedded, made for this run" : "given";
  }

  /** A directory on the file system of the server's log, if that is known. */
  @Nullable Path directory() {
    return database.server().map(EmbeddedPostgres::directory).orElse(null);
  }

  /** Begins to watch whether server and machine are well. */
  HealthWatch health() throws SQLException {
    return HealthWatch.start(database, List.of());
  }

  /** A new schema for one contender, reached under an emulation. */
  Arena arena(int accounts, long opening, Emulation emulation) throws SQLException {
    Login reached = far(login(emulation.session()), emulation.roundTrip());
    String schema = database.schema() + "_" + ++schemas;
    try (Connection connection = login().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    return new Arena(reached, schema, accounts, opening);
  }

  /** Takes away what a contender made. What cannot be dropped now is tried again at the end. */
  void drop(Arena arena) {
    try {
      drop(arena.schema());
    } catch (SQLException e) {
      leftBehind.add(arena.schema());
    }
  }

  private void drop(String schema) throws SQLException {
    String drop = "DROP SCHEMA IF EXISTS " + schema + " CASCADE";
    try (Connection connection = login().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(drop);
    } catch (SQLException e) {
      throw new LeftBehindException(drop, e);
    }
  }

  /**
   * Ends what is going on in it, so that whoever waits for that goes on and can close this: stops a
   * server made for it, ends sessions that are at work in its schemas otherwise. May be called by
   * any thread.
   */
  public void abandon() throws SQLException {
    if (database.server().isPresent()) {
      database.server().get().close();
      return;
    }
    try (Connection connection = login().connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT pg_catalog.pg_terminate_backend(pid) FROM (SELECT DISTINCT l.pid FROM"
                    + " pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation JOIN"
                    + " pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE l.database ="
                    + " (SELECT oid FROM pg_catalog.pg_database WHERE datname ="
                    + " current_database()) AND starts_with(n.nspname, ?)) session")) {
      statement.setString(1, database.schema() + "_");
      statement.execute();
    }
  }

  /** Why connections cannot be made under an emulation; an empty text if they can. */
  String refuses(Emulation emulation) {
    try (Connection connection = login().connect();
        Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> each : emulation.session().entrySet()) {
        statement.execute("SET " + each.getKey() + " = '" + each.getValue() + "'");
      }
      return "";
    } catch (SQLException e) {
      return e.getMessage()
          + "; a superuser allows it with GRANT SET ON PARAMETER "
          + String.join(", ", emulation.session().keySet())
          + " TO "
          + login().user();
    }
  }

  /** The same server behind a longer wire; wires stay until this is closed. */
  private Login far(Login login, Duration roundTrip) throws SQLException {
    if (roundTrip.isZero()) {
      return login;
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(login.jdbcUrl());
    int port = source.getPortNumbers()[0];
    InetSocketAddress server =
        new InetSocketAddress(source.getServerNames()[0], port == 0 ? DEFAULT_PORT : port);
    LongWire wire = wires.get(roundTrip);
    if (wire == null) {
      try {
        wire = LongWire.to(server, roundTrip);
      } catch (IOException e) {
        throw new SQLException("no longer wire can be laid: " + e, e);
      }
      wires.put(roundTrip, wire);
    }
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {wire.port()});
    return new Login(source.getURL(), login.user(), login.password());
  }

  @Override
  public void close() throws IOException, SQLException {
    try {
      for (LongWire each : wires.values()) {
        each.close();
      }
      for (String each : database.server().isPresent() ? List.<String>of() : leftBehind) {
        drop(each);
      }
    } finally {
      database.close();
    }
  }
}
