package dev.partita.cli.validate;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Entry;
import dev.partita.cli.ingest.BerkaRows;
import dev.partita.cli.ingest.InputFile;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Database;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

/**
 * The transactions of a real bank, recorded in its order, with every running balance compared with
 * the one that the bank stated. The bank rounds its balances by up to 0.10 a row, so a row follows
 * if it moves the balance as the bank says to within that.
 */
public final class BerkaSuite implements Suite {

  private final String file;
  private final InputStream standardInput;
  private final UnaryOperator<Entry> seen;

  /**
   * The suite on a file.
   *
   * @param file transactions as {@code import berka} reads them, in the order of their days; {@code
   *     -} for standard input
   * @param standardInput what {@code -} stands for
   */
  public BerkaSuite(String file, InputStream standardInput) {
    this(file, standardInput, UnaryOperator.identity());
  }

  /** The suite with something made of each line of a statement, to show that it would be seen. */
  BerkaSuite(String file, InputStream standardInput, UnaryOperator<Entry> seen) {
    this.file = file;
    this.standardInput = standardInput;
    this.seen = seen;
  }

  @Override
  public String name() {
    return "berka";
  }

  @Override
  public String summary() {
    return "a bank's transactions, every running balance compared with the bank's";
  }

  @Override
  public void run(Run run) throws IOException, SQLException {
    try (InputFile input = InputFile.open(file, standardInput);
        Database database = Database.make(run);
        HikariDataSource pool = Database.pool(database.application("partita-validate-berka"));
        PostgresLedger ledger =
            PostgresLedger.open(pool, PostgresConfig.builder().schema(database.schema()).build())) {
      BankReplay replay = new BankReplay(ledger, run, seen);
      run.require("rows", replay.record(new BerkaRows(input, ledger)), 1);
      replay.compare();
      run.verify(ledger);
    }
  }
}
