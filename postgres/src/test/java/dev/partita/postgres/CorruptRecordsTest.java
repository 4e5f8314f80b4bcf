package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.CorruptionException;
import dev.partita.HoldQuery;
import dev.partita.StatementQuery;
import dev.partita.TransferQuery;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody with the owner's rights has taken the guards away and changed what was stored: whoever
 * reads it is told so, and never gets a zero, a default or half of it.
 */
class CorruptRecordsTest {

  private static final AccountId DEBIT = AccountId.of("debit");

  private Stage stage;
  private PostgresLedger ledger;
  private UUID id;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "debit", "credit");
    id = UUID.randomUUID();
    ledger.post(Stage.pending(id, "debit", "credit", 5).reference("r"));
    stage.execute(
        """
        ALTER TABLE %s.transfer DISABLE TRIGGER ALL;
        DO $$
        DECLARE
          guard record;
        BEGIN
          FOR guard IN SELECT conrelid::regclass AS relation, conname FROM pg_constraint
            WHERE contype = 'c' AND connamespace = '%s'::regnamespace
              AND conrelid IN ('%s.transfer'::regclass, '%s.hold'::regclass)
          LOOP
            EXECUTE 'ALTER TABLE ' || guard.relation || ' DROP CONSTRAINT ' || guard.conname;
          END LOOP;
        END $$
        """);
  }

  @AfterEach
  void close() throws SQLException {
    stage.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amount = -1",
        "amount = 'NaN'",
        "amount = 170141183460469231731687303715884105728",
        "released = -1",
        "maximum = -1",
        "debit_debits_pending = -5",
        "debit_debits_pending = 'NaN'",
        "credit_credits_pending = -5",
        "kind = 6",
        "kind = -1",
        "metadata = '[]'",
        "metadata = '\"text\"'",
        "metadata = '{\"k\": 1}'",
        "metadata = '{\"k\": null}'",
        "metadata = '{\"k\": {}}'",
        "metadata = '{\"a key\": \"v\"}'",
        "metadata = jsonb_build_object('k', repeat('v', 20000))",
        "code = 65536",
        "code = -1",
        "timeout_seconds = 0",
        "reference = ''",
        "group_id = gen_random_uuid()"
      })
  void aCorruptRecordIsReportedByWhoeverReadsIt(String damage) {
    stage.execute("UPDATE %s.transfer SET " + damage);

    corrupt("transfer", () -> ledger.transfers(List.of(id)));
    corrupt("find", () -> ledger.find(TransferQuery.account(DEBIT, 9)));
    corrupt("statement", () -> ledger.statement(StatementQuery.oldestFirst(DEBIT, 9)));
    corrupt("journal", () -> ledger.journal(null, 9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "debit_debits_pending = -5",
        "debit_debits_pending = 'NaN'",
        "debit_debits_posted = 170141183460469231731687303715884105728"
      })
  void aCorruptCounterIsReportedByWhoeverAsksForTheBalance(String damage) {
    stage.execute("UPDATE %s.transfer SET " + damage);

    corrupt("balance", () -> ledger.balance(DEBIT));
    corrupt("account", () -> ledger.account(DEBIT));
    corrupt("accounts", () -> ledger.accounts(AccountQuery.all(9)));
    corrupt("balance as recorded", () -> ledger.balanceAsRecorded(DEBIT, Instant.now()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"remaining = -5", "remaining = 'NaN'"})
  void aCorruptHoldIsReportedByWhoeverReadsIt(String damage) {
    stage.execute("UPDATE %s.hold SET " + damage);

    corrupt("holds", () -> ledger.holds(HoldQuery.all(9)));
  }

  @Test
  void aSoundOneIsRead() {
    assertThat(ledger.transfers(List.of(id))).hasSize(1);
  }

  private static void corrupt(String what, Runnable read) {
    assertThatThrownBy(read::run).as(what).isInstanceOf(CorruptionException.class);
  }
}
