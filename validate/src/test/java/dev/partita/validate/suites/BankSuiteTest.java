package dev.partita.validate.suites;

import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.PostItem;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.postgres.PostgresConfig;
import dev.partita.validate.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The bank holds, and each fault that is planted is found by the check it is for. */
class BankSuiteTest {

  private static final String FOLLOWS = "versions and running balances follow from the records";
  private static final String LOCK = " FOR NO KEY UPDATE OF a";

  private static Runs runs;

  @BeforeAll
  static void open() throws IOException {
    runs = new Runs();
  }

  @AfterAll
  static void close() throws IOException {
    runs.close();
  }

  @Test
  void holdsInADatabaseThatIsGiven() {
    runs.held(new BankSuite(), runs.given());
  }

  @Test
  void findsAnUpdateLostBecauseNobodyLocked() {
    finds(new BankSuite(new Unlocked(text -> text.replace(LOCK, ""))), FOLLOWS);
  }

  /** The look-up then reads the state from before its wait for the lock. */
  @Test
  void findsAnUpdateLostBecauseLockAndLookUpAreOneStatement() {
    finds(new BankSuite(new Unlocked(BankSuiteTest::lockInTheLookUp)), FOLLOWS);
  }

  private static String lockInTheLookUp(String text) {
    int stateEnd = text.indexOf(";", text.indexOf(") s ON true"));
    if (!text.contains(LOCK) || stateEnd < 0) {
      return text;
    }
    String locked = text.substring(0, stateEnd) + LOCK + text.substring(stateEnd);
    return locked.replaceFirst(LOCK + "( SKIP LOCKED)?", "");
  }

  @Test
  void findsAMemberOfAGroupThatIsNotThere() {
    finds(
        new BankSuite(
            tampered(
                "DELETE FROM %1$s.transfer WHERE id = (SELECT id FROM %1$s.transfer"
                    + " WHERE group_index = 1 ORDER BY batch DESC, batch_index DESC LIMIT 1)")),
        "groups are whole");
  }

  @Test
  void findsARecordThatIsThereTwice() {
    finds(
        new BankSuite(
            tampered(
                "ALTER TABLE %1$s.transfer DROP CONSTRAINT transfer_pkey;"
                    + " DROP INDEX %1$s.transfer_debit; DROP INDEX %1$s.transfer_credit;"
                    + " INSERT INTO %1$s.transfer SELECT (t).* FROM (SELECT t FROM"
                    + " %1$s.transfer t WHERE group_id IS NULL"
                    + " ORDER BY batch DESC, batch_index DESC LIMIT 1) newest")),
        "every acknowledged transfer is stored exactly once");
  }

  @Test
  void findsATransferThatIsPostedAgainUnderAnotherId() {
    Seam twice =
        new Seam() {
          @Override
          public Ledger ledger(Ledger real) {
            return Lying.about(real, item -> postAgain(real, item));
          }
        };
    finds(new BankSuite(twice), "nothing is stored that nobody sent");
  }

  private static void postAgain(Ledger real, PostItem item) {
    if (item instanceof TransferRequest transfer && transfer.kind() == TransferKind.DIRECT) {
      real.post(
          TransferRequest.direct(
              Ids.named("again " + transfer.id()),
              transfer.asset(),
              transfer.debit(),
              transfer.credit(),
              transfer.amount()));
    }
  }

  @Test
  void findsAWrongRunningBalance() {
    finds(
        new BankSuite(
            tampered(
                "UPDATE %1$s.transfer SET credit_credits_posted = credit_credits_posted + 1"
                    + " WHERE id = (SELECT id FROM %1$s.transfer"
                    + " WHERE credit_credits_posted IS NOT NULL"
                    + " ORDER BY batch DESC, batch_index DESC LIMIT 1)")),
        FOLLOWS);
  }

  @Test
  void findsHoldsThatNobodyExpires() {
    Seam idle =
        new Seam() {
          @Override
          public PostgresConfig.Builder config(PostgresConfig.Builder real) {
            return real.sweepInterval(null);
          }
        };
    finds(new BankSuite(idle), "every hold that is due expires");
  }

  private static void finds(BankSuite suite, String check) {
    runs.violated(suite, runs.given(), check);
  }

  /** Several lanes without what keeps them from overwriting each other. */
  private record Unlocked(UnaryOperator<String> rewrite) implements Seam {
    @Override
    public DataSource source(DataSource real) {
      return Proxies.rewriting(real, rewrite);
    }

    @Override
    public PostgresConfig.Builder config(PostgresConfig.Builder real) {
      return real.lanes(4);
    }

    @Override
    public void prepare(Database database) throws SQLException {
      execute(
          database,
          "DROP INDEX %1$s.transfer_debit; DROP INDEX %1$s.transfer_credit;"
              + " CREATE INDEX ON %1$s.transfer (debit_no, debit_version);"
              + " CREATE INDEX ON %1$s.transfer (credit_no, credit_version)");
    }
  }

  /** The owner changes what is stored once everything is recorded. */
  private static Seam tampered(String sql) {
    return new Seam() {
      @Override
      public void beforeComparing(Database database) throws SQLException {
        execute(
            database,
            "ALTER TABLE %1$s.transfer DISABLE TRIGGER USER; "
                + sql
                + "; ALTER TABLE %1$s.transfer ENABLE TRIGGER USER");
      }
    };
  }

  private static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql.formatted(database.schema()));
    }
  }
}
