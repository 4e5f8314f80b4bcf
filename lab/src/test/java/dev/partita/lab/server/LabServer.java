package dev.partita.lab.server;

import dev.partita.embedded.EmbeddedPostgres;
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

/** One embedded server for all tests of this package that leave it as it is. */
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
  static ScratchDatabase start() {
    try {
      return ScratchDatabase.embedded(
          Path.of(System.getProperty("java.io.tmpdir"), "partita-lab-" + System.nanoTime()),
          "lab",
          settings -> settings.setting("autovacuum", "off"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server, with short ways to what tests do. */
  record Running(ScratchDatabase database) implements AutoCloseable {

    private static final AtomicInteger NAMES = new AtomicInteger();

    EmbeddedPostgres server() {
      return database.server().orElseThrow();
    }

    Login owner() {
      return database.owner();
    }

    Login superuser() {
      return server().superuser();
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
      database.close();
    }
  }
}
