package dev.partita.validate.suites;

import dev.partita.validate.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A short run, and the fault it must find. */
class SnapshotSuiteTest {

  private static Runs runs;

  @BeforeAll
  static void start() throws IOException {
    runs = new Runs();
  }

  @AfterAll
  static void stop() throws IOException {
    runs.close();
  }

  @Test
  void holds() {
    runs.held(new SnapshotSuite(), runs.given());
  }

  /** The row of an account is updated with each transfer, as a state kept in the row would be. */
  @Test
  void findsThatAccountsAreUpdated() {
    runs.violated(
        new SnapshotSuite(
            new Tampering() {
              @Override
              public void prepare(Database database) throws SQLException {
                try (Connection connection = database.owner().getConnection();
                    Statement statement = connection.createStatement()) {
                  statement.execute(
                      """
                      CREATE FUNCTION %1$s.touch() RETURNS trigger LANGUAGE plpgsql AS $$
                      BEGIN
                        UPDATE %1$s.account SET metadata = metadata
                        WHERE no IN (NEW.debit_no, NEW.credit_no);
                        RETURN NULL;
                      END $$;
                      CREATE TRIGGER touch AFTER INSERT ON %1$s.transfer
                        FOR EACH ROW EXECUTE FUNCTION %1$s.touch()
                      """
                          .formatted(database.schema()));
                }
              }
            }),
        runs.given(),
        "an old snapshot makes the lock of the hot account visit no more pages");
  }
}
