package dev.partita.lab.run;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDatabase;
import dev.partita.lab.contender.Arena;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The database that experiments run on: an embedded server made for it, or one that is there
 * already. Each cell gets a schema of its own and leaves nothing behind. For one thread.
 */
public final class LabDatabase implements AutoCloseable {

  private final ScratchDatabase database;
  private int schemas;

  private LabDatabase(ScratchDatabase database) {
    this.database = database;
  }

  /**
   * A new embedded server, with commits as durable as PostgreSQL makes them.
   *
   * @param parent where its directory is made; it is gone when this is closed
   */
  public static LabDatabase embedded(Path parent) throws IOException {
    return new LabDatabase(
        ScratchDatabase.embedded(parent, "lab", UnaryOperator.identity()));
  }

  /** A database that is there; {@code login} must be allowed to make schemas in it. */
  public static LabDatabase given(Login login) {
    return new LabDatabase(ScratchDatabase.given(login, "partita_lab"));
  }

  /** Who works in it. */
  public Login login() {
    return database.owner();
  }

  /** What it is, in words. */
  String place() {
    return database.server().isPresent() ? "embedded server" : "given database";
  }

  /** The directory of an embedded server, for what is only to be seen there. */
  Optional<EmbeddedPostgres> server() {
    return database.server();
  }

  /**
   * A new schema for one contender.
   *
   * @param session settings of every connection made in it, by name
   */
  Arena arena(int accounts, long opening, Map<String, String> session) throws SQLException {
    String schema = database.schema() + "_" + ++schemas;
    try (Connection connection = login().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    return new Arena(with(login(), session), schema, accounts, opening);
  }

  /** Takes away what a contender made. */
  void drop(Arena arena) throws SQLException {
    try (Connection connection = login().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA IF EXISTS " + arena.schema() + " CASCADE");
    }
  }

  /** Whether connections may have these settings; an empty text, or what the server says. */
  String refuses(Map<String, String> session) {
    try (Connection connection = login().connect();
        Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> each : session.entrySet()) {
        statement.execute("SET " + each.getKey() + " = '" + each.getValue() + "'");
      }
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Login with(Login login, Map<String, String> session) {
    if (session.isEmpty()) {
      return login;
    }
    String options =
        session.entrySet().stream()
            .map(each -> "-c " + each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(" "));
    String url = login.jdbcUrl();
    return new Login(
        url
            + (url.contains("?") ? "&" : "?")
            + "options="
            + URLEncoder.encode(options, StandardCharsets.UTF_8),
        login.user(),
        login.password());
  }

  /** Asks for a clean start: what earlier cells left to be written is written. */
  void settle() throws SQLException {
    try (Connection connection = login().connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_has_role(current_user, 'pg_checkpoint', 'USAGE')")) {
      row.next();
      if (row.getBoolean(1)) {
        try (Statement checkpoint = connection.createStatement()) {
          checkpoint.execute("CHECKPOINT");
        }
      }
    }
  }

  @Override
  public void close() throws IOException, SQLException {
    database.close();
  }
}
