package dev.partita.validate.client;

import dev.partita.ConflictException;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Run;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * Posts inside transactions of its own, often together with a row of a table of its own, and
 * journals what became of it. Thread-safe: every transaction takes a connection.
 */
public final class Caller {

  /** What becomes of a transaction. */
  public enum End {
    /** All of its transfers are recorded. */
    RECORDED,
    /** It was committed, but not all of its transfers were recorded. */
    REFUSED,
    /** It was rolled back on purpose. */
    ROLLED_BACK,
    /** It met another transaction: all of it has to be run again. */
    CONFLICT,
    /** Its isolation is one that nothing can be posted under. */
    ISOLATION
  }

  /**
   * How a transaction is run.
   *
   * @param isolation as {@link Connection#setTransactionIsolation} takes it
   * @param order whether it writes a row of its own table
   * @param commit whether it is committed in the end
   */
  public record Plan(int isolation, boolean order, boolean commit) {}

  /** A plain transaction that commits. */
  public static final Plan PLAIN = new Plan(Connection.TRANSACTION_READ_COMMITTED, false, true);

  private static final String DEADLOCK =
      "no deadlock reaches a lane's caller or a transaction that posts once";
  private static final String TYPED =
      "a conflict is the only failure of a caller's own transaction";
  private static final String USABLE =
      "a post refused for its isolation is typed and leaves the transaction usable";
  private static final String TOGETHER = "a caller's own rows and transfers commit as one";
  private static final String REFUSED = "refused";

  private final DataSource source;
  private final PostgresLedger ledger;
  private final String table;
  private final Journal journal;
  private final Run run;
  private final LongAdder orders = new LongAdder();
  private final LongAdder recorded = new LongAdder();
  private final Map<End, LongAdder> ends = new EnumMap<>(End.class);
  private final LongAdder deadlocks = new LongAdder();

  /**
   * Posts through a ledger.
   *
   * @param source connections to the ledger's database
   * @param table made by {@link #createTable}
   */
  public Caller(DataSource source, PostgresLedger ledger, String table, Journal journal, Run run) {
    this.source = source;
    this.ledger = ledger;
    this.table = table;
    this.journal = journal;
    this.run = run;
    for (End end : End.values()) {
      ends.put(end, new LongAdder());
    }
  }

  /** Makes the table of callers' own rows. */
  public static void createTable(DataSource owner, String table) throws SQLException {
    try (Connection connection = owner.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + table + " (id uuid PRIMARY KEY, outcome text NOT NULL)");
      statement.execute("GRANT SELECT, INSERT, UPDATE ON " + table + " TO PUBLIC");
    }
  }

  /** Runs one transaction that posts these one after the other. */
  public End transact(List<PostItem> items, Plan plan) throws SQLException {
    List<Journal.Line> lines = new ArrayList<>();
    items.forEach(item -> write(item, lines));
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(plan.isolation());
      List<TransferResult> results = new ArrayList<>();
      End end = attempt(connection, items, plan, results);
      note(lines, results, end);
      counter(end).increment();
      return end;
    }
  }

  private End attempt(
      Connection connection, List<PostItem> items, Plan plan, List<TransferResult> results)
      throws SQLException {
    try {
      return postAndEnd(connection, items, plan, results);
    } catch (SQLException e) {
      if (isSerializationFailure(plan, e)) {
        return End.CONFLICT;
      }
      throw e;
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /** What SERIALIZABLE means for the caller's own statements, with or without a ledger. */
  private static boolean isSerializationFailure(Plan plan, SQLException failure) {
    return plan.isolation() == Connection.TRANSACTION_SERIALIZABLE
        && "40001".equals(failure.getSQLState());
  }

  private End postAndEnd(
      Connection connection, List<PostItem> items, Plan plan, List<TransferResult> results)
      throws SQLException {
    try {
      post(connection, items, plan, results);
      return plan.commit() ? commit(connection, items.getFirst(), plan, results) : End.ROLLED_BACK;
    } catch (ConflictException e) {
      conflict(e, items.size());
      return End.CONFLICT;
    } catch (MisuseException e) {
      refusedForIsolation(connection, items.getFirst(), plan, e);
      return End.ISOLATION;
    } catch (UnavailableException e) {
      run.violation(TYPED, e.toString());
      return End.CONFLICT;
    }
  }

  private void post(
      Connection connection, List<PostItem> items, Plan plan, List<TransferResult> results)
      throws SQLException {
    if (plan.order()) {
      order(connection, items.getFirst().id(), "recorded");
    }
    for (PostItem item : items) {
      PostResult result = ledger.inTransaction(connection).post(PostRequest.of(item));
      results.addAll(result.transfers());
    }
    run.held(TYPED, 1);
    if (items.size() == 1) {
      run.held(DEADLOCK, 1);
    }
  }

  /** Commits, with a row of its own that says what became of the first item. */
  private End commit(Connection connection, PostItem first, Plan plan, List<TransferResult> results)
      throws SQLException {
    if (plan.order() && !results.getFirst().status().isRecorded()) {
      mark(connection, first.id());
    }
    connection.commit();
    if (plan.order()) {
      orders.increment();
    }
    return results.stream().allMatch(each -> each.status().isRecorded())
        ? End.RECORDED
        : End.REFUSED;
  }

  private void conflict(ConflictException e, int posts) {
    run.held(TYPED, 1);
    boolean deadlock = isDeadlock(e);
    if (deadlock) {
      deadlocks.increment();
    }
    if (posts == 1) {
      run.check(DEADLOCK, !deadlock, e.toString());
    }
  }

  /** Whether the server ended a transaction for a deadlock. */
  public static boolean isDeadlock(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException sql && "40P01".equals(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  /** Notes what a caller of the ledger itself was told. */
  public static void noteFailure(Run run, UnavailableException failure) {
    run.check(DEADLOCK, !isDeadlock(failure), failure.toString());
  }

  /** Notes how often callers of the ledger itself got an answer. */
  public static void noteAnswers(Run run, long answers) {
    run.held(DEADLOCK, answers);
  }

  private void refusedForIsolation(
      Connection connection, PostItem first, Plan plan, MisuseException e) throws SQLException {
    if (plan.isolation() == Connection.TRANSACTION_READ_COMMITTED) {
      run.violation(TYPED, e.toString());
      return;
    }
    try {
      if (plan.order()) {
        mark(connection, first.id());
      } else {
        order(connection, first.id(), REFUSED);
      }
    } catch (SQLException failure) {
      if (isSerializationFailure(plan, failure)) {
        throw failure;
      }
      run.violation(USABLE, failure.toString());
      return;
    }
    connection.commit();
    orders.increment();
    run.held(USABLE, 1);
  }

  private void note(List<Journal.Line> lines, List<TransferResult> results, End end) {
    boolean committed = end == End.RECORDED || end == End.REFUSED;
    for (int i = 0; i < lines.size(); i++) {
      Journal.Line line = lines.get(i);
      if (!committed) {
        line.notPosted();
      } else if (results.get(i).status().isRecorded()) {
        line.record(results.get(i).orThrow());
        recorded.increment();
      } else {
        line.refuse(results.get(i).status());
      }
    }
  }

  private void write(PostItem item, List<Journal.Line> lines) {
    switch (item) {
      case TransferRequest transfer -> lines.add(journal.sent(transfer, null));
      case GroupRequest group -> {
        int size = group.members().size();
        for (int i = 0; i < size; i++) {
          GroupRef place = new GroupRef(group.id(), i, size);
          lines.add(journal.sent(group.members().get(i), place));
        }
      }
      case GroupResolution resolution ->
          throw new IllegalArgumentException("ids of its members are not known here");
    }
  }

  private void order(Connection connection, UUID id, String outcome) throws SQLException {
    execute(connection, "INSERT INTO " + table + " (outcome, id) VALUES (?, ?)", id, outcome);
  }

  private void mark(Connection connection, UUID id) throws SQLException {
    execute(connection, "UPDATE " + table + " SET outcome = ? WHERE id = ?", id, REFUSED);
  }

  private static void execute(Connection connection, String sql, UUID id, String outcome)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, outcome);
      statement.setObject(2, id);
      statement.executeUpdate();
    }
  }

  /** Compares the rows of the callers' table with what the ledger stores. */
  public void compare(String schema) throws SQLException {
    String sql =
        "SELECT count(*), count(*) FILTER (WHERE (o.outcome = 'recorded') <> EXISTS (SELECT FROM "
            + schema
            + ".transfer t WHERE t.id = o.id OR t.group_id = o.id)) FROM "
            + table
            + " o";
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      run.held(TOGETHER, row.getLong(1));
      run.check(TOGETHER, row.getLong(1) == orders.sum(), row.getLong(1) + " rows of " + orders);
      run.check(TOGETHER, row.getLong(2) == 0, row.getLong(2) + " rows without their transfers");
    }
  }

  /** How many transactions ended so. */
  public long count(End end) {
    return counter(end).sum();
  }

  private LongAdder counter(End end) {
    return Objects.requireNonNull(ends.get(end));
  }

  /** Conflicts that were deadlocks. */
  public long deadlocks() {
    return deadlocks.sum();
  }

  /** Transfers recorded. */
  public long recorded() {
    return recorded.sum();
  }
}
