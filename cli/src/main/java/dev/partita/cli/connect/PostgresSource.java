package dev.partita.cli.connect;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.cli.watch.LateListener;
import dev.partita.cli.watch.Watch;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.postgres.PostgresApiKeys;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import dev.partita.postgres.SchemaStatus;
import dev.partita.server.auth.ApiKeys;
import dev.partita.server.health.HealthProbe;
import dev.partita.server.metrics.Meters;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Ledgers in PostgreSQL: in a given database, or in the embedded one.
 *
 * <p>The embedded database is this program's own, so it is migrated by its owner's login whenever
 * it is opened, and the ledger runs as a role that cannot change records. A given database is
 * migrated by {@code schema migrate} alone.
 */
public final class PostgresSource implements LedgerSource {

  /** A lane, and reads by the callers of one command. */
  private static final int CONNECTIONS_MAX = 10;

  private static final int CONNECT_SECONDS = 10;
  private static final long CONNECTION_TIMEOUT_MILLIS = 20_000;
  private static final int EXPIRE_LIMIT = 10_000;

  private static final String HOW_TO_MAKE =
      "; make one with partita asset register CODE or partita demo, or name another with --data or"
          + " --url";

  private final Consumer<AutoCloseable> opening;

  /**
   * Opens ledgers.
   *
   * @param opening given, whenever something is opened, what closes it; may be called from any
   *     thread
   */
  public PostgresSource(Consumer<AutoCloseable> opening) {
    this.opening = opening;
  }

  @Override
  public LedgerSession open(Target target, Purpose purpose) {
    Resources resources = new Resources();
    opening.accept(resources);
    try {
      HikariDataSource pool =
          resources.add(
              pool(target.url() == null ? embedded(target, purpose, resources) : given(target)));
      PostgresConfig.Builder config = PostgresConfig.builder().schema(target.schema());
      if (!purpose.expiresHolds()) {
        config.sweepInterval(null);
      }
      LateListener listener = new LateListener();
      PostgresLedger ledger = resources.add(PostgresLedger.open(pool, config.build(), listener));
      if (purpose.expiresHolds() || (target.url() == null && purpose == Purpose.READ)) {
        expireDue(ledger);
      }
      return new Session(ledger, keys(pool, target), listener, pool, resources);
    } catch (RuntimeException e) {
      resources.closeAfter(e);
      throw e;
    }
  }

  @Override
  public SchemaSession openSchema(Target target, Purpose purpose) {
    Resources resources = new Resources();
    opening.accept(resources);
    try {
      DataSource owner =
          target.url() == null
              ? dataSource(start(target, purpose, resources).owner())
              : given(target);
      return new Schema(new PostgresSchema(owner, target.schema()), resources);
    } catch (RuntimeException e) {
      resources.closeAfter(e);
      throw e;
    }
  }

  @Override
  public KeysSession openKeys(Target target, Purpose purpose) {
    Resources resources = new Resources();
    opening.accept(resources);
    try {
      DataSource owner;
      if (target.url() == null) {
        EmbeddedPostgres server = start(target, purpose, resources);
        migrated(server, target, purpose);
        owner = dataSource(server.owner());
      } else {
        owner = given(target);
        SchemaStatus status = new PostgresSchema(owner, target.schema()).status();
        if (!status.usable()) {
          throw new MisuseException("--schema", status.describe());
        }
      }
      return new Keys(keys(owner, target), resources);
    } catch (RuntimeException e) {
      resources.closeAfter(e);
      throw e;
    }
  }

  private static StoredKeys keys(DataSource dataSource, Target target) {
    return new StoredKeys(new PostgresApiKeys(dataSource, target.schema()));
  }

  @Override
  public String migrationsSql(String schema) {
    return new PostgresSchema(new PGSimpleDataSource(), schema).print();
  }

  @Override
  public String grantsSql(String schema, String role) {
    return new PostgresSchema(new PGSimpleDataSource(), schema).grants(role);
  }

  /** Starts the server, migrates and grants as its owner; answers the application's login. */
  private static DataSource embedded(Target target, Purpose purpose, Resources resources) {
    EmbeddedPostgres server = start(target, purpose, resources);
    migrated(server, target, purpose);
    return dataSource(server.application());
  }

  private static void migrated(EmbeddedPostgres server, Target target, Purpose purpose) {
    PostgresSchema schema = new PostgresSchema(dataSource(server.owner()), target.schema());
    SchemaStatus status = schema.status();
    if (status.state() == SchemaStatus.State.MISSING && !purpose.mayCreate()) {
      throw new MisuseException(
          "--schema",
          "there is no ledger in schema " + target.schema() + " of " + target.data() + HOW_TO_MAKE);
    }
    if (!status.usable()) {
      schema.migrate();
    }
    // Always: a crash between migration and grants must not leave the ledger without rights.
    schema.grant(server.application().user());
  }

  private static EmbeddedPostgres start(Target target, Purpose purpose, Resources resources) {
    if (!purpose.mayCreate() && !Files.isDirectory(target.data())) {
      throw new MisuseException("--data", "there is no ledger in " + target.data() + HOW_TO_MAKE);
    }
    // Not by the exit hook of the server: Ctrl-C first lets the command finish what is in flight.
    return resources.add(
        EmbeddedPostgres.start(
            EmbeddedPostgresConfig.builder(target.data()).stopOnJvmExit(false).build()));
  }

  private static DataSource dataSource(Login login) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(login.jdbcUrl());
    dataSource.setUser(login.user());
    dataSource.setPassword(login.password());
    return careful(dataSource);
  }

  private static DataSource given(Target target) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    try {
      dataSource.setURL(String.valueOf(target.url()));
    } catch (IllegalArgumentException e) {
      // The driver's message would repeat the URL, and with it a password.
      throw new MisuseException(
          "--url", "is not a JDBC URL such as jdbc:postgresql://localhost:5432/shop");
    }
    if (dataSource.getUser() == null && target.user() != null) {
      dataSource.setUser(target.user());
    }
    if (dataSource.getPassword() == null && target.password() != null) {
      dataSource.setPassword(target.password());
    }
    careful(dataSource);
    tryOnce(dataSource);
    return dataSource;
  }

  /** Before a pool is asked: it would wait, and then say less about what is wrong. */
  private static void tryOnce(PGSimpleDataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      connection.isValid(CONNECT_SECONDS);
    } catch (SQLException e) {
      throw DatabaseFailures.connecting(e);
    }
  }

  /** Settings that decide whether an answer can be trusted, and whether one comes at all. */
  private static DataSource careful(PGSimpleDataSource dataSource) {
    dataSource.setConnectTimeout(CONNECT_SECONDS);
    dataSource.setTcpKeepAlive(true);
    dataSource.setApplicationName("partita");
    return dataSource;
  }

  private static HikariDataSource pool(DataSource dataSource) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("partita");
    config.setDataSource(dataSource);
    config.setMaximumPoolSize(CONNECTIONS_MAX);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
    // The first use says what is wrong, in the ledger's own words.
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  /** A node that starts catches up on what became due while none ran. */
  private static void expireDue(Ledger ledger) {
    while (ledger.expireDue(EXPIRE_LIMIT).size() == EXPIRE_LIMIT) {
      // More may be due.
    }
  }

  private record Session(
      PostgresLedger ledger,
      ApiKeys apiKeys,
      LateListener listener,
      HikariDataSource pool,
      Resources resources)
      implements LedgerSession {

    @Override
    public HealthProbe watch(Meters meters) {
      return Watch.start(meters, ledger, listener, pool);
    }

    @Override
    public void close() {
      resources.close();
    }
  }

  private record Keys(StoredKeys keys, Resources resources) implements KeysSession {
    @Override
    public void close() {
      resources.close();
    }
  }

  private record Schema(PostgresSchema schema, Resources resources) implements SchemaSession {
    @Override
    public SchemaStatus status() {
      return schema.status();
    }

    @Override
    public SchemaStatus migrate() {
      return schema.migrate();
    }

    @Override
    public void grant(String role) {
      schema.grant(role);
    }

    @Override
    public void close() {
      resources.close();
    }
  }

  /** What was opened, to be closed in the opposite order. Safe for use by several threads. */
  private static final class Resources implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();

    <T extends AutoCloseable> T add(T resource) {
      opened.push(resource);
      return resource;
    }

    /** Closes all; what goes wrong does not hide the failure that led here. */
    void closeAfter(RuntimeException failure) {
      try {
        close();
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
    }

    @Override
    public void close() {
      @Nullable RuntimeException first = null;
      for (AutoCloseable next = opened.poll(); next != null; next = opened.poll()) {
        try {
          next.close();
        } catch (RuntimeException e) {
          first = e;
        } catch (Exception e) {
          first = new IllegalStateException(e);
        }
      }
      if (first != null) {
        throw first;
      }
    }
  }
}
