package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A lane and its connection's session: it needs one of its own, and leaves it as it was. */
class LaneConnectionTest {

  private Stage stage;

  @BeforeEach
  void open() {
    stage = new Stage();
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  private static void assertRefused(PostgresLedger ledger, TransferRequest request) {
    assertThatThrownBy(() -> ledger.post(request))
        .hasMessageContaining("not one through transaction pooling")
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.DATABASE_ERROR);
              assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED);
            });
  }

  @Test
  void recordsNothingInAnotherSession() {
    FaultyDataSource faults = new FaultyDataSource(TestServer.application("pooled"));
    PostgresLedger ledger = stage.node(faults.dataSource(), stage.config());
    Stage.open(ledger, "world", "shop");
    assertThat(ledger.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    TransferRequest request = Stage.direct("world", "shop", 2);
    faults.changeSessions(true);
    assertRefused(ledger, request);
    assertThat(ledger.transfers(List.of(request.id()))).isEmpty();
    // Nothing stays locked, and a connection that keeps its session does.
    assertThat(stage.node("other").post(request).status()).isEqualTo(CREATED);
    assertThat(ledger.post(Stage.direct("world", "shop", 3)).status()).isEqualTo(CREATED);
  }

  @Test
  void namesTheCauseWhereItsPreparedStatementsAreGone() throws SQLException {
    FaultyDataSource faults = new FaultyDataSource(TestServer.application("pooled"));
    PostgresLedger ledger = stage.node(faults.dataSource(), stage.config());
    Stage.open(ledger, "world", "shop");
    for (int i = 0; i < 3; i++) {
      assertThat(ledger.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    }
    // The lane waits for requests, so its connection is free. In a block, or the driver would know.
    try (Statement statement = faults.kept().getFirst().createStatement()) {
      statement.execute("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$");
    }
    assertRefused(ledger, Stage.direct("world", "shop", 2));
    assertThat(ledger.post(Stage.direct("world", "shop", 3)).status()).isEqualTo(CREATED);
  }

  @Test
  void givesTheConnectionBackAsItWas() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(TestServer.application("given back"));
    config.setMaximumPoolSize(1);
    config.setConnectionInitSql(
        "SET lock_timeout = 12345; SET work_mem = '5MB'; SET synchronous_commit = off");
    config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      Map<String, String> before = settings(pool);
      LaneConnection lane =
          new LaneConnection(pool, stage.config().build(), new SchemaGate(stage.schema()));
      lane.release(lane.open());
      Map<String, String> after = settings(pool);
      assertThat(before).containsEntry("lock_timeout", "12345").containsEntry("work_mem", "5120");
      for (Map.Entry<String, String> setting : before.entrySet()) {
        assertThat(after.get(setting.getKey())).as(setting.getKey()).isEqualTo(setting.getValue());
      }
    }
  }

  private static Map<String, String> settings(HikariDataSource pool) throws SQLException {
    Map<String, String> settings = new TreeMap<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name, setting FROM pg_settings")) {
      while (rows.next()) {
        settings.put(rows.getString(1), rows.getString(2));
      }
      settings.put("network timeout", Integer.toString(connection.getNetworkTimeout()));
      settings.put(
          "prepare threshold",
          Integer.toString(connection.unwrap(PGConnection.class).getPrepareThreshold()));
    }
    return settings;
  }
}
