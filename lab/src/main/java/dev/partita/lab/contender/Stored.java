package dev.partita.lab.contender;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How to read what a contender has stored, in SQL, whatever its tables look like. Names are
 * qualified with the schema.
 *
 * @param balances a query of each account's number and what it has, as columns called account and
 *     amount; null if it keeps none
 * @param entries a query of two lines for each transfer: its id (uuid), the account's number and
 *     the signed amount, as columns called transfer, account and amount
 * @param chain a query of each account's lines with a number that orders them, the signed amount
 *     and what the account has after it, as columns called account, line, amount and after; null if
 *     it keeps no running balances
 * @param relations the tables whose size counts, comma-separated
 * @param commits a query of one line: how many transfers there are and how many transactions
 *     committed them, as columns called transfers and commits; null if that cannot be told
 * @param moves a query of each account's number and how often it has moved since its opening, by a
 *     count of its own, as columns called account and moves; null if it keeps none
 * @param floor least that an account may have in minor units; null if nothing is refused
 */
public record Stored(
    @Nullable String balances,
    String entries,
    @Nullable String chain,
    String relations,
    @Nullable String commits,
    @Nullable String moves,
    @Nullable Long floor) {

  /** Where accounts do not count their moves and nothing is refused. */
  Stored(
      @Nullable String balances,
      String entries,
      @Nullable String chain,
      String relations,
      @Nullable String commits) {
    this(balances, entries, chain, relations, commits, null, null);
  }

  /** And where transactions cannot be told from one another. */
  Stored(@Nullable String balances, String entries, @Nullable String chain, String relations) {
    this(balances, entries, chain, relations, null);
  }

  /** The same where accounts count their moves. */
  Stored counting(String query) {
    return new Stored(balances, entries, chain, relations, commits, query, floor);
  }

  /** The same where no account may have less than this. */
  Stored notBelow(long minor) {
    return new Stored(balances, entries, chain, relations, commits, moves, minor);
  }

  /**
   * How many transfers a transaction committed on average: the mean size of batches. Empty if that
   * cannot be told, or nothing was committed.
   */
  public OptionalDouble transfersPerCommit(Connection connection) throws SQLException {
    if (commits == null) {
      return OptionalDouble.empty();
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(commits)) {
      row.next();
      long transactions = row.getLong("commits");
      return transactions == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of((double) row.getLong("transfers") / transactions);
    }
  }

  /** These texts with the names of an arena; see {@link Arena#text}. */
  Stored in(Arena arena) {
    return new Stored(
        balances == null ? null : arena.text(balances),
        arena.text(entries),
        chain == null ? null : arena.text(chain),
        arena.text(relations),
        commits == null ? null : arena.text(commits),
        moves == null ? null : arena.text(moves),
        floor);
  }
}
