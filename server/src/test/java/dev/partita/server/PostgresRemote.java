package dev.partita.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
import dev.partita.TimeSource;
import dev.partita.client.PartitaClient;
import dev.partita.client.PartitaClientConfig;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import dev.partita.testkit.LedgerUnderTest;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Clients of servers over ledgers with a manual clock, each ledger in a schema of its own, all of
 * them on one PostgreSQL and one pool. For one thread.
 */
final class PostgresRemote implements LedgerUnderTest, AutoCloseable {

  private static final int CONNECTIONS_MAX = 10;

  // It warns, rightly, of what is done on purpose below. Held, or it would be forgotten.
  private static final Logger QUIET = Logger.getLogger("dev.partita.postgres");

  private record Served(TestServer server, String schema) {}

  private final ScratchDirectory directory;
  private final EmbeddedPostgres postgres;
  private final HikariDataSource pool;
  private final IdentityHashMap<Ledger, Served> served = new IdentityHashMap<>();
  private int schemas;

  private PostgresRemote(ScratchDirectory directory, EmbeddedPostgres postgres) {
    this.directory = directory;
    this.postgres = postgres;
    HikariConfig config = new HikariConfig();
    config.setDataSource(source(postgres.application()));
    config.setMaximumPoolSize(CONNECTIONS_MAX);
    this.pool = new HikariDataSource(config);
  }

  static PostgresRemote start() throws IOException {
    QUIET.setLevel(Level.OFF);
    ScratchDirectory directory = ScratchDirectory.make();
    return new PostgresRemote(
        directory, EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory.path())));
  }

  @Override
  public Ledger open(TimeSource clock) {
    schemas++;
    PostgresSchema schema = new PostgresSchema(source(postgres.owner()), "s" + schemas);
    // From the printed SQL, which is several times as fast as a migration.
    execute(schema.print());
    execute(schema.grants(postgres.application().user()));
    return serve(schema.name(), clock);
  }

  @Override
  public boolean durable() {
    return true;
  }

  @Override
  public Ledger reopen(Ledger closed, TimeSource clock) {
    Served before = Objects.requireNonNull(served.remove(closed));
    before.server().close();
    return serve(before.schema(), clock);
  }

  @Override
  public void dispose(Ledger client) {
    client.close();
    Served ended = served.remove(client);
    if (ended != null) {
      ended.server().close();
      execute("DROP SCHEMA " + ended.schema() + " CASCADE");
    }
  }

  private Ledger serve(String schema, TimeSource clock) {
    Ledger ledger =
        PostgresLedger.open(
            pool,
            PostgresConfig.builder()
                .schema(schema)
                .timeSource(clock)
                // Crashes are not the point here, and this is faster.
                .synchronousCommit("off")
                // Holds expire when the suite says so.
                .sweepInterval(null)
                .build());
    TestServer server = TestServer.over(ledger);
    Ledger client = new PartitaClient(PartitaClientConfig.of(server.server.uri()));
    served.put(client, new Served(server, schema));
    return client;
  }

  private void execute(String sql) {
    try (Connection connection = postgres.owner().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("the owner cannot prepare a schema", e);
    }
  }

  private static PGSimpleDataSource source(Login login) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(login.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(login.password());
    return source;
  }

  @Override
  public void close() throws IOException {
    pool.close();
    postgres.close();
    directory.close();
    QUIET.setLevel(null);
  }
}
