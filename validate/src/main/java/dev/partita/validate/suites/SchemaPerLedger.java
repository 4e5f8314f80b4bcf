package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.TimeSource;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import dev.partita.testkit.LedgerUnderTest;
import dev.partita.validate.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Ledgers with a clock of their own, each in a new schema of one database. Thread-safe. */
final class SchemaPerLedger implements LedgerUnderTest {

  /**
   * A crash is not what these ledgers are tried with, and most of the time would go into waiting.
   */
  static final String SYNCHRONOUS_COMMIT = "off";

  private final Database database;
  private final DataSource connections;
  private final UnaryOperator<Ledger> wrapping;
  private final AtomicInteger schemas = new AtomicInteger();
  private final Map<Ledger, Runnable> disposals =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /**
   * Makes schemas beside the one of a database.
   *
   * @param connections of the role that the ledgers run as
   * @param wrapping put around each ledger
   */
  SchemaPerLedger(Database database, DataSource connections, UnaryOperator<Ledger> wrapping) {
    this.database = database;
    this.connections = connections;
    this.wrapping = wrapping;
  }

  @Override
  public Ledger open(TimeSource clock) {
    PostgresSchema schema =
        new PostgresSchema(database.owner(), database.schema() + "_" + schemas.incrementAndGet());
    // Printed, not migrated: several times as fast.
    execute(schema.print());
    execute(schema.grants(database.application("").getUser()));
    PostgresLedger ledger =
        PostgresLedger.open(
            connections,
            PostgresConfig.builder()
                .schema(schema.name())
                .timeSource(clock)
                .synchronousCommit(SYNCHRONOUS_COMMIT)
                // Holds expire when the series says so.
                .sweepInterval(null)
                .build());
    Ledger wrapped = wrapping.apply(ledger);
    disposals.put(
        wrapped,
        () -> {
          ledger.close();
          execute("DROP SCHEMA " + schema.name() + " CASCADE");
        });
    return wrapped;
  }

  @Override
  public void dispose(Ledger ledger) {
    Runnable disposal = disposals.remove(ledger);
    if (disposal != null) {
      disposal.run();
    }
  }

  private void execute(String sql) {
    try (Connection connection = database.owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("a schema cannot be made or dropped", e);
    }
  }
}
