package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Threads;
import dev.partita.lab.load.Worker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What it costs to read a balance that is kept nowhere: an operation is one read of one account,
 * whatever it is asked for. Either a sum over all its entries, or a sum over blocks of a thousand
 * entries each and the entries after the last block.
 */
public final class BalanceRead implements Contender {

  private static final int BLOCK_ENTRIES = 1_000;

  private static final String TABLES =
      """
      CREATE TABLE {schema}.entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transfer uuid NOT NULL,
        account int NOT NULL, place int NOT NULL, amount bigint NOT NULL);
      CREATE TABLE {schema}.block (
        account int, last_place int, amount bigint NOT NULL, PRIMARY KEY (account, last_place));
      """;

  private static final String FILL =
      """
      INSERT INTO {schema}.entry (transfer, account, place, amount)
      SELECT gen_random_uuid(), 0, i, 1 + i % 100 FROM generate_series(1, {entries}) i
      """;

  private static final String INDEX = "CREATE INDEX ON {schema}.entry (account, place)";

  /** The last block is not closed yet: as many entries are left to sum as ever can be. */
  private static final String BLOCKS =
      """
      INSERT INTO {schema}.block
      SELECT account, max(place), sum(amount) FROM (
        SELECT account, place, amount, max(place) OVER (PARTITION BY account) AS entries
        FROM {schema}.entry) e
      WHERE place <= (entries - 1) / {block} * {block}
      GROUP BY account, (place - 1) / {block}
      """;

  private static final String SUM =
      "SELECT sum(amount)::bigint FROM {schema}.entry WHERE account = 0";

  private static final String BLOCK_SUM =
      """
      SELECT coalesce(b.amount, 0)::bigint + coalesce((
        SELECT sum(e.amount) FROM {schema}.entry e
        WHERE e.account = 0 AND e.place > coalesce(b.last_place, 0)), 0)::bigint
      FROM (SELECT sum(amount) AS amount, max(last_place) AS last_place
            FROM {schema}.block WHERE account = 0) b
      """;

  private final int entries;
  private final boolean blocks;

  private BalanceRead(int entries, boolean blocks) {
    this.entries = entries;
    this.blocks = blocks;
  }

  /** Of an account with so many entries, by summing all of them. */
  public static BalanceRead bySum(int entries) {
    return new BalanceRead(entries, false);
  }

  /** Of an account with so many entries, by summing its blocks and what comes after them. */
  public static BalanceRead byBlocks(int entries) {
    return new BalanceRead(entries, true);
  }

  @Override
  public Card card() {
    return new Card(
        (blocks ? "block-sums-" : "sum-") + entries,
        blocks
            ? "reads a balance as a sum over blocks of 1,000 entries and the entries after them"
            : "reads a balance as a sum over all entries",
        "writes nothing",
        List.of(blocks ? BLOCK_SUM : SUM),
        1,
        "READ COMMITTED",
        "the balance",
        64);
  }

  @Override
  public Stage stage(Arena arena) throws SQLException {
    arena.run(TABLES);
    arena.run(FILL.replace("{entries}", Integer.toString(entries)));
    arena.run(INDEX);
    arena.run(BLOCKS.replace("{block}", Integer.toString(BLOCK_ENTRIES)));
    arena.run("VACUUM (ANALYZE) {schema}.entry");
    arena.run("VACUUM (ANALYZE) {schema}.block");
    return new ReadStage(arena);
  }

  /** As {@link #FILL} makes it. */
  private long balance() {
    long balance = 0;
    for (int i = 1; i <= entries; i++) {
      balance += 1 + i % 100;
    }
    return balance;
  }

  private final class ReadStage implements Stage {
    private final Arena arena;

    ReadStage(Arena arena) {
      this.arena = arena;
    }

    @Override
    public Worker worker() throws SQLException {
      return new Reader(arena.connect(), arena.text(blocks ? BLOCK_SUM : SUM));
    }

    @Override
    public @Nullable Stored stored() {
      return null;
    }

    @Override
    public void close() {}
  }

  private final class Reader implements Worker {
    private final Connection connection;
    private final PreparedStatement read;
    private final long balance = balance();

    Reader(Connection connection, String text) throws SQLException {
      this.connection = connection;
      this.read = connection.prepareStatement(text);
    }

    @Override
    public Threads threads() {
      return Threads.PLATFORM;
    }

    @Override
    public Answer perform(Operation operation) {
      try (ResultSet row = read.executeQuery()) {
        row.next();
        return row.getLong(1) == balance ? Answer.committed(1) : Answer.failed(Outcome.ERROR);
      } catch (SQLException e) {
        return Answer.failed(SqlOutcomes.of(e, false));
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        System.getLogger(BalanceRead.class.getName())
            .log(System.Logger.Level.DEBUG, "the connection was broken already", e);
      }
    }
  }
}
