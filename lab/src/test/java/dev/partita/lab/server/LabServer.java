package dev.partita.lab.server;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One embedded server for all tests of this package; whoever breaks it mends it. */
final class LabServer implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Running.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(LabServer.class))
        .computeIfAbsent(Running.class, key -> new Running(start()), Running.class);
  }

  /** Without autovacuum, whose transactions would be counted with ours. */
  private static EmbeddedPostgresConfig.Builder quiet(EmbeddedPostgresConfig.Builder settings) {
    return settings.setting("autovacuum", "off");
  }

  private static ScratchDatabase start() {
    try {
      return ScratchDatabase.embedded(
          Path.of(System.getProperty("java.io.tmpdir"), "partita-lab-" + System.nanoTime()),
          "lab",
          LabServer::quiet);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server, with short ways to what tests do. For one thread. */
  static final class Running implements AutoCloseable {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final ScratchDatabase database;
    private EmbeddedPostgres server;

    Running(ScratchDatabase database) {
      this.database = database;
      server = database.server().orElseThrow();
    }

    ScratchDatabase database() {
      return database;
    }

    EmbeddedPostgres server() {
      return server;
    }

    Login owner() {
      return database.owner();
    }

    Login superuser() {
      return server.superuser();
    }

    /** Starts it again where it was, after it was closed: all logins hold. */
    void startAgain() {
      server =
          EmbeddedPostgres.start(
              quiet(EmbeddedPostgresConfig.builder(server.directory()).port(server.port()))
                  .build());
    }

    /** A name that nothing has yet. */
    static String name(String prefix) {
      return prefix + NAMES.incrementAndGet();
    }

    /** A new schema of the owner. */
    String schema() throws SQLException {
      String schema = name("cell");
      execute(owner(), "CREATE SCHEMA " + schema);
      return schema;
    }

    /** Each in a transaction of its own, on a connection that is closed afterwards. */
    static void execute(Login login, String... statements) throws SQLException {
      try (Connection connection = login.connect();
          Statement statement = connection.createStatement()) {
        for (String each : statements) {
          statement.execute(each);
        }
      }
    }

    @Override
    public void close() throws IOException, SQLException {
      server.close();
      database.close();
    }
  }
}
