package dev.partita.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One PostgreSQL for all tests of this JVM, and a fresh schema for whoever asks: the embedded one,
 * or the server of {@code -Dpartita.test.url}, where the roles {@code partita_owner} (owns the
 * database) and {@code partita_app} log in with {@code -Dpartita.test.password}.
 */
final class TestServer {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private TestServer() {}

  private record Logins(Login owner, Login application, Optional<EmbeddedPostgres> server) {}

  private static final class Holder {
    static final Logins SERVER = start();
    static final HikariDataSource POOL = pool();

    private static HikariDataSource pool() {
      HikariConfig config = new HikariConfig();
      config.setDataSource(dataSource(SERVER.application()));
      config.setMaximumPoolSize(10);
      return new HikariDataSource(config);
    }

    private static Logins start() {
      String url = System.getProperty("partita.test.url");
      if (url != null) {
        String password = System.getProperty("partita.test.password", "");
        return new Logins(
            new Login(url, "partita_owner", password),
            new Login(url, "partita_app", password),
            Optional.empty());
      }
      try {
        Path directory = Files.createTempDirectory("partita-test");
        EmbeddedPostgres server =
            EmbeddedPostgres.start(
                EmbeddedPostgresConfig.builder(directory)
                    .setting("max_prepared_transactions", "5")
                    .build());
        return new Logins(server.owner(), server.application(), Optional.of(server));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The server itself, if it is the embedded one. Whoever changes it puts it back. */
  static Optional<EmbeddedPostgres> server() {
    return Holder.SERVER.server();
  }

  /** Connections of the role that owns the database. */
  static DataSource owner() {
    return dataSource(Holder.SERVER.owner());
  }

  /** Connections of the role that a ledger runs as, kept: logging in is slow. */
  static DataSource application() {
    return Holder.POOL;
  }

  /** New connections of that role under a name by which they are found in pg_stat_activity. */
  static DataSource application(String name) {
    PGSimpleDataSource source = dataSource(Holder.SERVER.application());
    source.setApplicationName(name);
    return source;
  }

  /** A new connection of the role that a ledger runs as. */
  static Connection connect() {
    try {
      return dataSource(Holder.SERVER.application()).getConnection();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Name of the role that a ledger runs as. */
  static String applicationRole() {
    return Holder.SERVER.application().user();
  }

  /** How to log in as the owner, for other programs. */
  static Login ownerLogin() {
    return Holder.SERVER.owner();
  }

  /** A name that no schema has. */
  static String freeName() {
    return "s" + SCHEMAS.incrementAndGet();
  }

  /** A new schema, migrated and granted: from the printed SQL, several times as fast as Flyway. */
  static String freshSchema() {
    PostgresSchema schema = new PostgresSchema(owner(), freeName());
    try (Connection connection = owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(schema.print());
      statement.execute(schema.grants(applicationRole()));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot make schema " + schema.name(), e);
    }
    return schema.name();
  }

  /** Removes a schema and all that is in it. */
  static void drop(String schema) {
    try (Connection connection = owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA " + schema + " CASCADE");
    } catch (SQLException e) {
      throw new IllegalStateException("cannot drop schema " + schema, e);
    }
  }

  private static PGSimpleDataSource dataSource(Login login) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(login.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(login.password());
    return source;
  }
}
