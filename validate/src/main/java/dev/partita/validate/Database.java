package dev.partita.validate;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDatabase;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.postgres.PostgresSchema;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database with a fresh ledger schema, made for one run of a suite and removed with it: a new
 * embedded server, or a schema of its own in the database that was given. If the run found
 * something wrong, it stays as evidence. Thread-safe.
 */
public final class Database implements AutoCloseable {

  private static final String SCHEMA_PREFIX = "partita_validate";
  private static final int CONNECT_SECONDS = 10;
  private static final int CONNECTIONS_MAX = 10;
  private static final long CONNECTION_TIMEOUT_MILLIS = 20_000;

  private final Run run;
  private final ScratchDatabase scratch;

  private Database(Run run, ScratchDatabase scratch) {
    this.run = run;
    this.scratch = scratch;
  }

  /** Makes one where the run may, with the server's default settings. */
  public static Database make(Run run) throws IOException, SQLException {
    return make(run, UnaryOperator.identity());
  }

  /**
   * Makes one where the run may.
   *
   * @param settings what an embedded server is told beside its defaults
   */
  public static Database make(Run run, UnaryOperator<EmbeddedPostgresConfig.Builder> settings)
      throws IOException, SQLException {
    run.phase("making a database");
    Database made =
        new Database(
            run,
            switch (run.place()) {
              case Place.Embedded embedded ->
                  ScratchDatabase.embedded(
                      embedded.parent(), PostgresSchema.DEFAULT_NAME, settings);
              case Place.Given given ->
                  ScratchDatabase.given(
                      Login.given(given.url(), given.user(), given.password()), SCHEMA_PREFIX);
            });
    try {
      PostgresSchema schema = new PostgresSchema(made.owner(), made.schema());
      schema.migrate();
      String role = made.scratch.application().user();
      if (!role.equals(made.scratch.owner().user())) {
        schema.grant(role);
      }
      run.fact("server", made.version());
    } catch (RuntimeException | SQLException e) {
      made.close();
      throw e;
    }
    return made;
  }

  /** A directory for servers that a suite makes itself. */
  public static ScratchDirectory directory(Run run) throws IOException {
    if (!(run.place() instanceof Place.Embedded embedded)) {
      throw new IllegalArgumentException("needs servers of its own");
    }
    return ScratchDirectory.make(embedded.parent());
  }

  /** The ledger's schema. */
  public String schema() {
    return scratch.schema();
  }

  /** The server, if it was started for this run. */
  public Optional<EmbeddedPostgres> server() {
    return scratch.server();
  }

  /** New connections of the role that owns the schema. */
  public DataSource owner() {
    return source(scratch.owner(), "partita-validate-owner");
  }

  /**
   * New connections of the role that the ledger runs as.
   *
   * @param name under which they are found in {@code pg_stat_activity}
   */
  public PGSimpleDataSource application(String name) {
    return source(scratch.application(), name);
  }

  /** How another program logs in as the role that the ledger runs as. */
  public Login login() {
    return scratch.application();
  }

  /** Where the server listens, host by host of its URL. */
  public List<InetSocketAddress> addresses() {
    PGSimpleDataSource source = application("");
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < source.getServerNames().length; i++) {
      int port = source.getPortNumbers()[i];
      addresses.add(
          InetSocketAddress.createUnresolved(source.getServerNames()[i], port == 0 ? 5432 : port));
    }
    return addresses;
  }

  /** As {@link #application}, by way of other addresses, one for each of {@link #addresses}. */
  public PGSimpleDataSource application(String name, List<InetSocketAddress> instead) {
    PGSimpleDataSource source = application(name);
    source.setServerNames(
        instead.stream().map(InetSocketAddress::getHostString).toArray(String[]::new));
    source.setPortNumbers(instead.stream().mapToInt(InetSocketAddress::getPort).toArray());
    return source;
  }

  /** A pool as services have one: of at most ten connections, closed by the caller. */
  public static HikariDataSource pool(DataSource source) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(CONNECTIONS_MAX);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private String version() throws SQLException {
    try (Connection connection = owner().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_setting('server_version')")) {
      row.next();
      return "PostgreSQL " + row.getString(1);
    }
  }

  private static PGSimpleDataSource source(Login login, String name) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(login.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(login.password());
    source.setConnectTimeout(CONNECT_SECONDS);
    source.setTcpKeepAlive(true);
    source.setApplicationName(name);
    return source;
  }

  /** Stops the server and removes its directory, or drops the schema; keeps what is evidence. */
  @Override
  public void close() throws IOException, SQLException {
    if (run.leavesEvidence("the database is left: " + scratch.place())) {
      scratch.keep();
    }
    scratch.close();
  }
}
