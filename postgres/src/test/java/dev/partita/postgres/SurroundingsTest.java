package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UpTo;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other ledgers in the same database, and settings that the ledger did not choose. */
class SurroundingsTest {

  private static final String AWKWARD = "é'\"\\{},\n\u0001中";

  private Stage stage;
  private Stage other;

  @BeforeEach
  void open() {
    stage = new Stage();
    other = new Stage();
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    other.reconcile();
    stage.close();
    other.close();
  }

  @Test
  void twoLedgersWithTheSameIdsNeverMeet() throws SQLException {
    PostgresLedger one = stage.node("one");
    PostgresLedger two = other.node("two");
    Stage.open(one, "filler");
    Stage.open(one, "world", "shop");
    // The same names under other numbers, another scale, other limits.
    two.register(List.of(new Asset(Stage.EUR, 3)));
    two.open(
        List.of(
            NewAccount.of("shop", "EUR"),
            NewAccount.of("world", "EUR").limits(Limits.NOT_NEGATIVE),
            NewAccount.of("bank", "EUR")));
    UUID hold = UUID.randomUUID();
    List<PostItem> items =
        List.of(
            Stage.direct(UUID.randomUUID(), "world", "shop", 5),
            Stage.pending(hold, "world", "shop", 3),
            TransferRequest.capture(UUID.randomUUID(), hold));
    assertAll(one.post(new PostRequest(items)).transfers(), CREATED);
    assertThat(two.post(new PostRequest(items)).transfers())
        .noneMatch(result -> result.status().isRecorded());
    two.post(Stage.direct("bank", "world", 100));
    assertAll(two.post(new PostRequest(items)).transfers(), CREATED);
    try (Connection connection = Stage.begin()) {
      TransferRequest both = Stage.direct("world", "shop", 1);
      assertThat(one.inTransaction(connection).post(both).status()).isEqualTo(CREATED);
      assertThat(two.inTransaction(connection).post(both).status()).isEqualTo(CREATED);
      connection.commit();
    }
    assertThat(stage.sumOf("shop")).isEqualTo(9);
    assertThat(other.sumOf("shop")).isEqualTo(9);
    assertThat(stage.sumOf("world")).isEqualTo(-9);
    assertThat(other.sumOf("world")).isEqualTo(91);
  }

  @Test
  void settingsOfTheRoleChangeNothing() throws SQLException {
    List<PostItem> items = items();
    List<Transfer> recorded = new ArrayList<>();
    TimeZone before = TimeZone.getDefault();
    disturb();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
      assertDisturbed();
      PostgresLedger disturbed = stage.node(TestServer.application("disturbed"), stage.config());
      openAccounts(disturbed);
      for (PostItem item : items) {
        for (TransferResult result : disturbed.post(PostRequest.of(item)).transfers()) {
          assertThat(result.status()).as("%s", item).isEqualTo(CREATED);
          recorded.add(result.orThrow());
        }
      }
      recorded.add(inTransaction(disturbed));
      changeAccount(disturbed);
      assertStored(disturbed, recorded);
      assertThat(disturbed.verify((done, total) -> {}).violations()).isEmpty();
    } finally {
      TimeZone.setDefault(before);
      restore();
    }
    PostgresLedger quiet = stage.node("quiet");
    assertStored(quiet, recorded);
    assertAll(quiet.post(new PostRequest(items)).transfers(), EXISTS);
  }

  private static Transfer inTransaction(PostgresLedger ledger) throws SQLException {
    try (Connection connection = TestServer.application("disturbed").getConnection()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      Transfer transfer =
          ledger
              .inTransaction(connection)
              .post(
                  Stage.direct("world", "shop", 1)
                      .effectiveAt(Instant.parse("1999-12-31T23:59:59.999999Z"))
                      .metadata(Metadata.of(Map.of("k", AWKWARD))))
              .orThrow();
      connection.commit();
      return transfer;
    }
  }

  private static void changeAccount(PostgresLedger ledger) {
    ChangeRequest change =
        ChangeRequest.of(AccountId.of("shop"))
            .minBalance(Balance.MIN)
            .maxBalance(Balance.MAX)
            .metadata(Metadata.of(Map.of("k", AWKWARD)))
            .close()
            .actor("o'actor\\");
    assertThat(ledger.change(change).status()).isEqualTo(ChangeResult.Status.CHANGED);
    assertThat(ledger.change(change).status()).isEqualTo(ChangeResult.Status.UNCHANGED);
    assertThat(ledger.account(AccountId.of("shop")).orElseThrow().metadata())
        .isEqualTo(Metadata.of(Map.of("k", AWKWARD)));
    ledger.change(ChangeRequest.of(AccountId.of("shop")).reopen());
  }

  private static void openAccounts(PostgresLedger ledger) {
    ledger.register(List.of(new Asset(Stage.EUR, 2), new Asset(new AssetCode("BTC"), 30)));
    ledger.open(
        List.of(
            NewAccount.of("world", "EUR").normal(Side.DEBIT),
            NewAccount.of("shop", "EUR").metadata(Metadata.of(Map.of("k", AWKWARD)))));
  }

  /** Something of every kind. */
  private static List<PostItem> items() {
    UUID hold = UUID.randomUUID();
    UUID groupId = UUID.randomUUID();
    TransferRequest first =
        Stage.direct("world", "shop", 0)
            .amount(Amount.MAX)
            .upTo(UpTo.CREDIT)
            .reference("O'Reilly\\, {NULL} \"x\"")
            .code(65_535)
            .effectiveAt(Instant.parse("0001-01-01T00:00:00Z"))
            .metadata(Metadata.of(Map.of("k", AWKWARD, "empty", "")));
    TransferRequest direct =
        Stage.direct("world", "shop", 7).effectiveAt(Instant.parse("9999-12-31T23:59:59.999999Z"));
    return List.of(
        first,
        direct,
        Stage.pending(hold, "world", "shop", 5).timeoutSeconds(Integer.MAX_VALUE),
        TransferRequest.capture(UUID.randomUUID(), hold)
            .amount(Amount.ofMinor(2))
            .keepRemainder(true),
        TransferRequest.voiding(UUID.randomUUID(), hold),
        TransferRequest.reversal(UUID.randomUUID(), direct.id()).amount(Amount.ofMinor(3)),
        new GroupRequest(
            groupId,
            List.of(
                Stage.pending(UUID.randomUUID(), "world", "shop", 1).timeoutSeconds(1_000),
                Stage.pending(UUID.randomUUID(), "world", "shop", 1))),
        GroupResolution.postGroup(UUID.randomUUID(), groupId));
  }

  private static void assertStored(PostgresLedger ledger, List<Transfer> recorded) {
    assertThat(ledger.transfers(recorded.stream().map(Transfer::id).toList()))
        .containsExactlyInAnyOrderElementsOf(recorded);
  }

  private static void assertAll(List<TransferResult> results, TransferStatus status) {
    assertThat(results).allSatisfy(result -> assertThat(result.status()).isEqualTo(status));
  }

  /**
   * What an administrator may have set for a role, and tables that are found before the ledger's.
   */
  private void disturb() throws SQLException {
    other.execute("GRANT USAGE ON SCHEMA %s TO PUBLIC");
    alterRole(
        "SET timezone = 'America/St_Johns'",
        "SET datestyle = 'SQL, DMY'",
        "SET intervalstyle = 'sql_standard'",
        "SET extra_float_digits = 0",
        "SET bytea_output = 'escape'",
        "SET standard_conforming_strings = off",
        "SET default_transaction_isolation = 'serializable'",
        "SET default_transaction_deferrable = on",
        "SET search_path = " + other.schema() + ", pg_catalog",
        "SET statement_timeout = '5min'",
        "SET lock_timeout = '5min'",
        "SET idle_session_timeout = '3s'",
        "SET idle_in_transaction_session_timeout = '5min'",
        "SET synchronous_commit = off");
  }

  private void assertDisturbed() throws SQLException {
    try (Connection connection = TestServer.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_setting('search_path'), current_setting('timezone'),"
                    + " current_setting('default_transaction_isolation')")) {
      row.next();
      assertThat(row.getString(1)).startsWith(other.schema());
      assertThat(row.getString(2)).as("the driver's").isEqualTo("Asia/Kathmandu");
      assertThat(row.getString(3)).isEqualTo("serializable");
    }
  }

  private static void restore() throws SQLException {
    alterRole("RESET ALL");
  }

  private static void alterRole(String... changes) throws SQLException {
    try (Connection connection = TestServer.connect();
        Statement statement = connection.createStatement()) {
      for (String change : changes) {
        statement.execute("ALTER ROLE CURRENT_USER " + change);
      }
    }
  }
}
