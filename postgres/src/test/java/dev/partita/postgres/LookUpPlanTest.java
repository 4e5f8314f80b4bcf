package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Looking up touches what it looks for and nothing more, however large the tables are and whenever
 * its plans were made. A hundred thousand transfers, all of them on one hot account.
 */
class LookUpPlanTest {

  private static final int ACCOUNTS = 10_000;
  private static final int TRANSFERS = 100_000;

  /**
   * Looking up three accounts, three holds and three groups of ten touches fewer rows than this.
   */
  private static final int ROWS_MAX = 500;

  private static final Pattern ROWS =
      Pattern.compile("actual rows=([0-9.]+) loops=([0-9]+)|Rows Removed by [A-Za-z ]+: ([0-9]+)");
  private static final Pattern FULL_SCAN =
      Pattern.compile("Seq Scan on (?:transfer|account|hold)\\b");
  private static final Pattern INDEX_SCAN =
      Pattern.compile(
          "Index (?:Only )?Scan(?: Backward)? using \\w+ on (?:transfer|account|hold)\\b");

  /** Whose session looks up. */
  enum Session {
    /** A lane's, with its own settings. */
    LANE,
    /** A caller's: whatever the server's defaults are. */
    CALLER,
    /** A caller's, and the server has decided to keep one plan for all values. */
    CALLER_GENERIC
  }

  private Stage stage;

  @BeforeEach
  void open() {
    stage = new Stage();
    Stage.open(stage.node("ledger"), "first");
  }

  @AfterEach
  void close() throws SQLException {
    stage.close();
  }

  @Test
  void looksUpByIndexInFullTables() throws Exception {
    fill();
    stage.execute("ANALYZE %s.transfer; ANALYZE %s.account; ANALYZE %s.hold");
    for (Session session : Session.values()) {
      try (Connection connection = connect(session)) {
        assertTouchesLittle(session, connection, prepareAll(connection));
      }
    }
  }

  @Test
  void looksUpByIndexWithPlansMadeWhileTheTablesWereEmpty() throws Exception {
    Map<Session, Connection> connections = new EnumMap<>(Session.class);
    Map<Session, List<Prepared>> prepared = new EnumMap<>(Session.class);
    for (Session session : Session.values()) {
      connections.put(session, connect(session));
      prepared.put(session, prepareAll(connections.get(session)));
    }
    fill();
    for (Session session : Session.values()) {
      try (Connection connection = connections.get(session)) {
        assertTouchesLittle(session, connection, prepared.get(session));
      }
    }
  }

  /** A hold captured in many parts costs no more to capture than any other. */
  @Test
  void readsNoEarlierCapturesOfAnOpenHold() throws Exception {
    fill();
    stage.execute(
        """
        INSERT INTO %s.transfer (batch, recorded_at, debit_version, credit_version, debit_no,
          credit_no, batch_index, kind, flags, id, amount, related_id)
        SELECT 1000000, now(), 1000000 + i, 1000000 + i, 2, 1, i, 2, 15, gen_random_uuid(), 0,
               '00000000-0000-0001-0000-0000000003e8'
        FROM generate_series(1, 2000) i
        """);
    try (Connection connection = connect(Session.LANE)) {
      assertTouchesLittle(Session.LANE, connection, prepareAll(connection));
    }
  }

  /** A prepared statement by its name, with the values to execute it with. */
  private record Prepared(String sql, String execute) {}

  private Connection connect(Session session) throws Exception {
    if (session == Session.LANE) {
      return new LaneConnection(
              TestServer.application("plans"),
              stage.config().build(),
              new SchemaGate(stage.schema()))
          .open();
    }
    Connection connection = TestServer.connect();
    try (Statement statement = connection.createStatement()) {
      if (session == Session.CALLER_GENERIC) {
        statement.execute("SET plan_cache_mode = force_generic_plan");
      }
    }
    return connection;
  }

  /**
   * Every statement of every variant, used as often as makes the server think of a general plan.
   */
  private List<Prepared> prepareAll(Connection connection) throws SQLException {
    LookUpSql lookUp = new LookUpSql(stage.schema());
    List<String> statements = new ArrayList<>();
    for (int variant = 0; variant < LookUpSql.BEGIN; variant++) {
      boolean possible =
          (variant & LookUpSql.RESOLVED_GROUPS) == 0 || (variant & LookUpSql.RELATED) != 0;
      if (possible && (variant & LookUpSql.SKIP_LOCKED) == 0) {
        for (String statement : lookUp.text(variant | LookUpSql.STATES).split(";\n", -1)) {
          if (!statements.contains(statement)) {
            statements.add(statement);
          }
        }
      }
    }
    assertThat(statements).hasSizeGreaterThan(10);
    List<Prepared> prepared = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        Prepared one = prepare(statement, sql, "p" + prepared.size());
        for (int use = 0; use < 7; use++) {
          statement.execute(one.execute());
        }
        prepared.add(one);
      }
    }
    return prepared;
  }

  private static Prepared prepare(Statement statement, String sql, String name)
      throws SQLException {
    StringBuilder numbered = new StringBuilder();
    List<String> values = new ArrayList<>();
    Matcher parameters = Pattern.compile("\\?::(\\w+)\\[\\]").matcher(sql);
    while (parameters.find()) {
      String type = parameters.group(1);
      values.add(
          switch (type) {
            case "int" -> "'{1,17,4711}'";
            case "text" -> "'{first,a:99,a:5000,nobody}'";
            default -> "'{" + String.join(",", uuids()) + "}'";
          });
      parameters.appendReplacement(
          numbered, Matcher.quoteReplacement("$" + values.size()) + "::" + type + "[]");
    }
    parameters.appendTail(numbered);
    statement.execute("PREPARE " + name + " AS " + numbered);
    String arguments = values.isEmpty() ? "" : "(" + String.join(", ", values) + ")";
    return new Prepared(sql, "EXECUTE " + name + arguments);
  }

  /** Three holds and three groups. */
  private static List<String> uuids() {
    List<String> ids = new ArrayList<>();
    for (int i : new int[] {1_000, 50_000, 99_000}) {
      ids.add(new UUID(1, i).toString());
      ids.add(new UUID(2, i / 10).toString());
    }
    return ids;
  }

  private static void assertTouchesLittle(
      Session session, Connection connection, List<Prepared> prepared) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (Prepared one : prepared) {
        List<String> plan = new ArrayList<>();
        try (ResultSet rows =
            statement.executeQuery("EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) " + one.execute())) {
          while (rows.next()) {
            plan.add(rows.getString(1));
          }
        }
        assertTouchesLittle(session + ": " + one.sql(), plan);
      }
    }
  }

  private static void assertTouchesLittle(String sql, List<String> plan) {
    String text = sql + "\n\n" + String.join("\n", plan);
    assertThat(plan).as(text).noneMatch(line -> FULL_SCAN.matcher(line).find());
    for (int i = 0; i < plan.size(); i++) {
      if (INDEX_SCAN.matcher(plan.get(i)).find()) {
        assertThat(plan.get(i + 1)).as("a condition in " + text).contains("Index Cond");
      }
      Matcher rows = ROWS.matcher(plan.get(i));
      while (rows.find()) {
        double touched =
            rows.group(3) == null
                ? Double.parseDouble(rows.group(1)) * Double.parseDouble(rows.group(2))
                : Double.parseDouble(rows.group(3));
        assertThat(touched).as("rows touched by " + text).isLessThan(ROWS_MAX);
      }
    }
  }

  /** Transfers to the first account; every tenth is a hold, and every ten are a group. */
  private void fill() {
    stage.execute(
        "INSERT INTO %s.account (opened_at, code, normal, id, asset)"
            + " SELECT now(), 0, 1, 'a:' || i, 'EUR' FROM generate_series(1, "
            + ACCOUNTS
            + ") i");
    stage.execute(
        """
        INSERT INTO %s.transfer (batch, recorded_at, debit_version, credit_version, debit_no,
          credit_no, batch_index, kind, flags, id, amount, related_id, group_id, group_index,
          group_size)
        SELECT i / 100, now(), i, i, 2 + i %\
        """
            + ACCOUNTS
            + """
            , 1, i % 100, CASE WHEN i % 10 = 0 THEN 1 WHEN i % 10 = 1 THEN 2 ELSE 0 END, 15,
              ('00000000-0000-0001-0000-' || lpad(to_hex(i), 12, '0'))::uuid, 1,
              CASE WHEN i % 10 = 1
                THEN ('00000000-0000-0001-0000-' || lpad(to_hex(i - 1), 12, '0'))::uuid END,
              ('00000000-0000-0002-0000-' || lpad(to_hex(i / 10), 12, '0'))::uuid, i % 10, 10
            FROM generate_series(1,\
            """
            + TRANSFERS
            + ") i");
    stage.execute("SELECT setval('%s.batch', (SELECT max(batch) FROM %s.transfer))");
    stage.execute(
        "INSERT INTO %s.hold (batch, debit_no, credit_no, batch_index, id, remaining)"
            + " SELECT batch, debit_no, credit_no, batch_index, id, 1 FROM %s.transfer"
            + " WHERE kind = 1 AND batch % 10 = 0");
  }
}
