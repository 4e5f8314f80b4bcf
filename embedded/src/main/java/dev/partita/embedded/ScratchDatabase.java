package dev.partita.embedded;

import dev.partita.MisuseException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in a database for one run of something, gone with it: a new embedded server, or a schema
 * of its own in a database that is there already. Nothing that exists is touched. Thread-safe.
 */
public final class ScratchDatabase implements AutoCloseable {

  private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,30}");

  private final String schema;
  private final Login owner;
  private final Login application;
  private final @Nullable OwnServer own;
  private volatile boolean kept;

  /** A server of its own, and where it is. */
  private record OwnServer(EmbeddedPostgres server, ScratchDirectory directory) {}

  private ScratchDatabase(String schema, Login owner, Login application, @Nullable OwnServer own) {
    this.schema = schema;
    this.owner = owner;
    this.application = application;
    this.own = own;
  }

  /**
   * Starts a new server in a new directory.
   *
   * @param parent where the directory is made; made itself if it is not there, and then removed
   *     with this if nothing else is in it
   * @param schema the schema meant to be used; it is not made yet
   * @param settings what the server is told beside its defaults
   */
  public static ScratchDatabase embedded(
      Path parent, String schema, UnaryOperator<EmbeddedPostgresConfig.Builder> settings)
      throws IOException {
    ScratchDirectory directory = ScratchDirectory.make(parent);
    boolean started = false;
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.start(
              settings.apply(EmbeddedPostgresConfig.builder(directory.path())).build());
      started = true;
      return new ScratchDatabase(
          schema, server.owner(), server.application(), new OwnServer(server, directory));
    } finally {
      if (!started) {
        directory.close();
      }
    }
  }

  /**
   * Takes a name for a schema of its own in a given database; it is not made yet.
   *
   * @param login of a role that may create schemas there
   * @param prefix of the schema's name, so that a forgotten one can be recognised
   */
  public static ScratchDatabase given(Login login, String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new MisuseException("prefix", "must be 1 to 31 characters a-z, 0-9, _");
    }
    String schema = prefix + "_" + Long.toString(System.nanoTime(), 36);
    return new ScratchDatabase(schema, login, login, null);
  }

  /** Name of the schema to be used. */
  public String schema() {
    return schema;
  }

  /** Who may make the schema. */
  public Login owner() {
    return owner;
  }

  /** Who should work in it: another role than the owner on an embedded server. */
  public Login application() {
    return application;
  }

  /** The server, if it was started for this. */
  public Optional<EmbeddedPostgres> server() {
    return Optional.ofNullable(own).map(OwnServer::server);
  }

  /** Leaves everything where it is when this is closed, as evidence. */
  public void keep() {
    kept = true;
  }

  /** Where it is, in words. */
  public String place() {
    return own == null ? "schema " + schema : own.directory().path().toString();
  }

  /** Stops the server and removes its directory, or drops the schema. */
  @Override
  public void close() throws IOException, SQLException {
    if (own != null) {
      own.server().close();
      if (!kept) {
        own.directory().close();
      }
    } else if (!kept) {
      try (Connection connection = owner.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
      }
    }
  }
}
