package dev.partita.lab.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What it costs to read a balance that is kept nowhere: a sum over all entries of an account, and a
 * sum over blocks of a thousand entries each and the entries after the last block.
 */
public final class BalanceReads {

  private static final int BLOCK_ENTRIES = 1_000;
  private static final int WARM_UP_READS = 10;

  private static final String TABLES =
      """
      CREATE TABLE {schema}.read_entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transfer uuid NOT NULL,
        account int NOT NULL, place int NOT NULL, amount bigint NOT NULL);
      CREATE TABLE {schema}.read_block (
        account int, last_place int, amount bigint NOT NULL, PRIMARY KEY (account, last_place));
      """;

  private static final String FILL =
      """
      INSERT INTO {schema}.read_entry (transfer, account, place, amount)
      SELECT gen_random_uuid(), ?, i, 1 + i % 100 FROM generate_series(1, ?) i
      """;

  private static final String INDEX = "CREATE INDEX ON {schema}.read_entry (account, place)";

  /** The last block is not closed yet: as many entries are left to sum as ever can be. */
  private static final String BLOCKS =
      """
      INSERT INTO {schema}.read_block
      SELECT account, max(place), sum(amount) FROM (
        SELECT account, place, amount, max(place) OVER (PARTITION BY account) AS entries
        FROM {schema}.read_entry) e
      WHERE place <= (entries - 1) / {block} * {block}
      GROUP BY account, (place - 1) / {block}
      """;

  private static final String SUM =
      "SELECT sum(amount)::bigint FROM {schema}.read_entry WHERE account = ?";

  private static final String BLOCK_SUM =
      """
      SELECT coalesce(b.amount, 0)::bigint + coalesce((
        SELECT sum(e.amount) FROM {schema}.read_entry e
        WHERE e.account = ? AND e.place > coalesce(b.last_place, 0)), 0)::bigint
      FROM (SELECT sum(amount) AS amount, max(last_place) AS last_place
            FROM {schema}.read_block WHERE account = ?) b
      """;

  private final Arena arena;

  /** To be read in an arena's schema, in tables of its own. */
  public BalanceReads(Arena arena) {
    this.arena = arena;
  }

  /**
   * What one account's balance costs.
   *
   * @param entries of the account
   * @param sumMicros median time of a sum over all of them, seen by the client
   * @param blockMicros median time of a sum over its blocks and what is after them
   */
  public record Reading(int entries, double sumMicros, double blockMicros) {}

  /**
   * Makes the tables and reads, in turn, each account's balance both ways.
   *
   * @param entries of each account, such as 100, 1,000, 10,000 and 100,000
   * @param reads of each account each way
   * @throws SQLException also if both ways differ
   */
  public List<Reading> measure(List<Integer> entries, int reads) throws SQLException {
    arena.run(TABLES);
    try (Connection connection = arena.connect()) {
      fill(connection, entries);
      List<Reading> readings = new ArrayList<>();
      try (PreparedStatement sum = connection.prepareStatement(arena.text(SUM));
          PreparedStatement blocks = connection.prepareStatement(arena.text(BLOCK_SUM))) {
        for (int account = 0; account < entries.size(); account++) {
          readings.add(read(sum, blocks, account, entries.get(account), reads));
        }
      }
      return readings;
    }
  }

  private void fill(Connection connection, List<Integer> entries) throws SQLException {
    try (PreparedStatement fill = connection.prepareStatement(arena.text(FILL))) {
      for (int account = 0; account < entries.size(); account++) {
        fill.setInt(1, account);
        fill.setInt(2, entries.get(account));
        fill.executeUpdate();
      }
    }
    arena.run(INDEX);
    arena.run(BLOCKS.replace("{block}", Integer.toString(BLOCK_ENTRIES)));
    arena.run("VACUUM (ANALYZE) {schema}.read_entry");
    arena.run("VACUUM (ANALYZE) {schema}.read_block");
  }

  private static Reading read(
      PreparedStatement sum, PreparedStatement blocks, int account, int entries, int reads)
      throws SQLException {
    sum.setInt(1, account);
    blocks.setInt(1, account);
    blocks.setInt(2, account);
    long[] sums = new long[reads];
    long[] blockSums = new long[reads];
    for (int i = -WARM_UP_READS; i < reads; i++) {
      long begin = System.nanoTime();
      long one = balance(sum);
      long between = System.nanoTime();
      long other = balance(blocks);
      long end = System.nanoTime();
      if (one != other) {
        throw new SQLException("the sum is " + one + ", that of the blocks " + other);
      }
      if (i >= 0) {
        sums[i] = between - begin;
        blockSums[i] = end - between;
      }
    }
    return new Reading(entries, medianMicros(sums), medianMicros(blockSums));
  }

  private static long balance(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private static double medianMicros(long[] nanos) {
    Arrays.sort(nanos);
    return (nanos[(nanos.length - 1) / 2] + nanos[nanos.length / 2]) / 2.0 / 1_000;
  }
}
