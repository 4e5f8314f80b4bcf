package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.DatabaseCondition.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes of this version on a schema that a later version has migrated while they ran. */
class RollingUpgradeTest {

  private static final int LATEST = PostgresSchema.MIGRATIONS.size();

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

  /** A migration as a later version may bring it: new things, that old nodes do not know. */
  private void migrate(int understoodBy) {
    stage.execute("ALTER TABLE %s.transfer ADD COLUMN IF NOT EXISTS category text");
    stage.execute("ALTER TABLE %s.account ADD COLUMN IF NOT EXISTS branch smallint DEFAULT 7");
    stage.execute("CREATE TABLE IF NOT EXISTS %s.later (id bigint PRIMARY KEY)");
    version(LATEST + 1, understoodBy);
  }

  private void version(int version, int understoodBy) {
    stage.execute(
        "CREATE OR REPLACE FUNCTION %s.schema_version(OUT version integer, OUT understood_by"
            + " integer) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT "
            + version
            + ", "
            + understoodBy
            + "'");
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .hasMessageContaining("upgrade this application")
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.SCHEMA_TOO_NEW);
              assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED);
            });
  }

  @Test
  void worksOnWhereTheSchemaIsNewerAndCompatible() {
    FaultyDataSource running = new FaultyDataSource(TestServer.application("running"));
    PostgresLedger old = stage.node(running.dataSource(), stage.config());
    Stage.open(old, "world", "shop");
    old.post(Stage.direct("world", "shop", 1));

    migrate(LATEST);
    assertThat(old.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    running.plan(FaultyDataSource.Fault.BROKEN_BEFORE); // So that the lane connects anew.
    assertThat(old.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    PostgresLedger second = stage.node("started afterwards");
    assertThat(second.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    second.open(List.of(NewAccount.of("late", "EUR")));
    assertThat(old.post(Stage.direct("world", "late", 1)).status()).isEqualTo(CREATED);
    assertThat(old.databaseCondition().state()).isEqualTo(State.WRITABLE);
    assertThat(stage.transfers()).isEqualTo(5);
  }

  @Test
  void refusesToStartWhereTheSchemaIsNewerAndIncompatible() {
    migrate(LATEST + 1);
    assertThatThrownBy(() -> stage.node("too old"))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("at version " + (LATEST + 1))
        .hasMessageContaining("upgrade this application");
  }

  @Test
  void recordsNothingMoreOnceALaneConnectsToWhatItDoesNotUnderstand() throws SQLException {
    FaultyDataSource running = new FaultyDataSource(TestServer.application("running"));
    PostgresLedger old = stage.node(running.dataSource(), stage.config());
    Stage.open(old, "world", "shop");
    migrate(LATEST + 1);
    for (Connection kept : running.kept()) {
      kept.abort(Runnable::run);
    }
    TransferRequest request = Stage.direct("world", "shop", 1);
    assertRefused(() -> old.post(request));
    assertThat(stage.stored(request.id())).isZero();
    assertRefusesEverything(old);
  }

  @Test
  void doesNotSayThatNothingWasPostedWhereItDoesNotKnow() {
    FaultyDataSource running = new FaultyDataSource(TestServer.application("running"));
    PostgresLedger old = stage.node(running.dataSource(), stage.config());
    Stage.open(old, "world", "shop");
    running.before(() -> version(LATEST + 1, LATEST + 1)); // No lock that the lane has.
    running.plan(FaultyDataSource.Fault.LOST_REPLY);
    TransferRequest request = Stage.direct("world", "shop", 1);
    assertThatThrownBy(() -> old.post(request))
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.SCHEMA_TOO_NEW);
              assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN);
            });
    assertThat(stage.stored(request.id())).isEqualTo(1);
  }

  @Test
  void recordsNothingMoreOnceItsDatabaseWasLookedAt() {
    PostgresLedger old = stage.node("running");
    Stage.open(old, "world", "shop");
    old.post(Stage.direct("world", "shop", 1));
    migrate(LATEST + 1);
    assertThat(old.databaseCondition().state()).isEqualTo(State.SCHEMA_UNUSABLE);
    assertRefusesEverything(old);

    version(LATEST + 1, LATEST);
    assertThat(old.databaseCondition().state()).isEqualTo(State.WRITABLE);
    assertThat(old.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
  }

  private void assertRefusesEverything(PostgresLedger old) {
    assertRefused(() -> old.post(Stage.direct("world", "shop", 1)));
    assertRefused(() -> old.open(List.of(NewAccount.of("new", "EUR"))));
    assertRefused(() -> old.register(List.of()));
    assertRefused(() -> old.expireDue(1));
    assertRefused(
        () -> {
          try (var connection = Stage.begin()) {
            old.inTransaction(connection);
          }
        });
    // What is recorded can still be read.
    assertThat(old.assets()).hasSize(1);
  }
}
