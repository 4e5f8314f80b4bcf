package dev.partita.postgres.bench;

import dev.partita.postgres.bench.WriteCycle.Progress;
import dev.partita.postgres.bench.WriteCycle.Way;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Where should the state of an account live: in a row of its own, updated by every batch, or in the
 * newest transfer record of the account? Measures both, side by side, in one run. The numbers of
 * docs/decisions/0002 come from here.
 *
 * <p>It drops and creates the schema {@code account_state_bench} in the database it is given.
 */
public final class AccountStateBench {
  private static final int WARM_UP_MILLIS = 1_500;
  private static final int SNAPSHOT_SECONDS = 60;
  private static final int EDGE_SECONDS = 10;
  private static final int LOOK_UP_ROWS = 100_000;

  private final Options options;

  private AccountStateBench(Options options) {
    this.options = options;
  }

  public static void main(String[] arguments) throws Exception {
    Options options = Options.parse(arguments);
    AccountStateBench bench = new AccountStateBench(options);
    bench.describeServer();
    for (String part : options.parts()) {
      switch (part) {
        case "disk" -> DiskProbe.main(new String[0]);
        case "hot" -> bench.compareRates(true, List.of(1, 16, 64, 1_000, 4_000));
        case "uniform" -> bench.compareRates(false, List.of(64, 1_000, 4_000));
        case "snapshot" -> bench.holdSnapshot(List.of(1_000, 64));
        case "ways" -> bench.compareWays();
        case "lookup" -> new LookUpForms(options.url()).compare(LOOK_UP_ROWS);
        default -> throw new IllegalArgumentException("no such part: " + part);
      }
    }
  }

  /** {@code --url U --seconds N --repeats N --arms row,records --parts hot,… --copy-from N}. */
  record Options(
      String url,
      int seconds,
      int repeats,
      List<StateModel> arms,
      List<String> parts,
      int copyFrom) {

    static Options parse(String[] arguments) {
      Map<String, String> given = new LinkedHashMap<>();
      given.put("--url", "jdbc:postgresql://127.0.0.1:5432/postgres?user=postgres");
      given.put("--seconds", "5");
      given.put("--repeats", "3");
      given.put("--arms", "row,records");
      given.put("--parts", "disk,hot,uniform,snapshot,ways,lookup");
      given.put("--copy-from", "256");
      for (int i = 0; i < arguments.length; i += 2) {
        if (!given.containsKey(arguments[i]) || i + 1 == arguments.length) {
          throw new IllegalArgumentException("expected one of " + given.keySet() + " and a value");
        }
        given.put(arguments[i], arguments[i + 1]);
      }
      return new Options(
          given.get("--url"),
          Integer.parseInt(given.get("--seconds")),
          Integer.parseInt(given.get("--repeats")),
          Arrays.stream(given.get("--arms").split(","))
              .map(arm -> StateModel.valueOf(arm.toUpperCase(Locale.ROOT)))
              .toList(),
          List.of(given.get("--parts").split(",")),
          Integer.parseInt(given.get("--copy-from")));
    }
  }

  private void describeServer() throws SQLException {
    try (Connection connection = WriteCycle.connect(options.url());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT version(), current_setting('fsync'),"
                    + " current_setting('synchronous_commit'),"
                    + " current_setting('full_page_writes')")) {
      row.next();
      System.out.printf(
          Locale.ROOT,
          "%s; fsync %s, synchronous_commit %s, full_page_writes %s; %d cores, Java %s%n",
          row.getString(1),
          row.getString(2),
          row.getString(3),
          row.getString(4),
          Runtime.getRuntime().availableProcessors(),
          Runtime.version());
    }
  }

  /** Fresh tables and a checkpoint, so that no window pays for the one before. */
  private void reset() throws SQLException {
    execute(options.url(), StateModel.schema(Load.ACCOUNTS), "CHECKPOINT");
  }

  static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = WriteCycle.connect(url);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        for (String one : text.split(";\\s*", 0)) {
          statement.execute(one);
        }
      }
    }
  }

  private void compareRates(boolean hot, List<Integer> callerCounts)
      throws SQLException, InterruptedException {
    System.out.printf(
        "%n## %s%n%n| callers | arm | transfers/s | all windows | transfers per cycle | lock and"
            + " look-up | write and commit | server CPU per transfer | bytes per transfer"
            + " |%n|---|---|---|---|---|---|---|---|---|%n",
        hot ? "One hot account" : "Uniform over 10,000 accounts");
    for (int callers : callerCounts) {
      Map<StateModel, List<Window>> windows = new EnumMap<>(StateModel.class);
      for (int repeat = 0; repeat < options.repeats(); repeat++) {
        for (StateModel arm : options.arms()) {
          windows.computeIfAbsent(arm, _ -> new ArrayList<>()).add(window(arm, callers, hot));
        }
      }
      windows.forEach((arm, measured) -> print(callers, arm, measured));
      printRatio(callers, windows);
    }
  }

  private record Window(Progress progress, long bytesPerTransfer) {}

  private Window window(StateModel arm, int callers, boolean hot)
      throws SQLException, InterruptedException {
    reset();
    try (WriteCycle cycle = new WriteCycle(options.url(), arm)) {
      Progress measured;
      try (Load load = new Load(cycle, callers, hot, options.copyFrom())) {
        Thread.sleep(WARM_UP_MILLIS); // tidy: a measuring window
        Progress start = load.progress();
        Thread.sleep(options.seconds() * 1_000L); // tidy: a measuring window
        measured = load.progress().since(start);
      }
      return new Window(measured, audit(arm, cycle.progress().transfers()));
    }
  }

  /** Nothing lost, nothing unbalanced; returns the bytes per transfer, all indexes included. */
  private long audit(StateModel arm, long acknowledged) throws SQLException {
    String table = arm.transferTable();
    String newest =
        arm == StateModel.ROW
            ? "SELECT version, debits_posted, credits_posted FROM account_state_bench.account_state"
            : """
            SELECT DISTINCT ON (no) version, coalesce(dp, 0), coalesce(cp, 0) FROM (
              SELECT debit_no AS no, debit_version AS version, debit_debits_posted AS dp,
                     debit_credits_posted AS cp FROM %1$s
               UNION ALL
              SELECT credit_no, credit_version, credit_debits_posted,
                     credit_credits_posted FROM %1$s) x
            ORDER BY no, version DESC\
            """
                .formatted(table);
    try (Connection connection = WriteCycle.connect(options.url());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*), sum(amount), pg_total_relation_size('"
                    + table
                    + "'), s.versions, s.debits, s.credits FROM "
                    + table
                    + ", (SELECT sum(v) AS versions, sum(d) AS debits, sum(c) AS credits FROM ("
                    + newest
                    + ") n (v, d, c)) s GROUP BY 4, 5, 6")) {
      row.next();
      long rows = row.getLong(1);
      boolean balanced =
          row.getBigDecimal(2).compareTo(row.getBigDecimal(5)) == 0
              && row.getBigDecimal(2).compareTo(row.getBigDecimal(6)) == 0;
      if (rows != acknowledged || row.getLong(4) != 2 * rows || !balanced) {
        throw new IllegalStateException("the books are wrong after " + acknowledged + " transfers");
      }
      return row.getLong(3) / rows;
    }
  }

  private static void print(int callers, StateModel arm, List<Window> windows) {
    System.out.printf(
        Locale.ROOT,
        "| %,d | %s | %,d | %s | %,d | %,d µs | %,d µs | %,d ns | %d |%n",
        callers,
        arm.name().toLowerCase(Locale.ROOT),
        medianRate(windows),
        windows.stream()
            .map(w -> String.format(Locale.ROOT, "%,d", w.progress().transfersPerSecond()))
            .toList(),
        median(windows.stream().mapToLong(w -> w.progress().transfersPerCycle())),
        median(windows.stream().mapToLong(w -> w.progress().lookUpMicrosPerCycle())),
        median(windows.stream().mapToLong(w -> w.progress().writeMicrosPerCycle())),
        median(windows.stream().mapToLong(w -> w.progress().serverCpuNanosPerTransfer())),
        median(windows.stream().mapToLong(Window::bytesPerTransfer)));
  }

  /** The median of the ratios of neighbouring windows: noise that lasts touches both. */
  private static void printRatio(int callers, Map<StateModel, List<Window>> windows) {
    List<Window> row = windows.get(StateModel.ROW);
    List<Window> records = windows.get(StateModel.RECORDS);
    if (row != null && records != null) {
      System.out.printf(
          Locale.ROOT,
          "| %,d | records : row | %d %% | | | | | %d %% | |%n",
          callers,
          medianPercent(records, row, Progress::transfersPerSecond),
          medianPercent(records, row, Progress::serverCpuNanosPerTransfer));
    }
  }

  private static long medianPercent(
      List<Window> numerators, List<Window> denominators, ToLongFunction<Progress> measure) {
    return median(
        IntStream.range(0, numerators.size())
            .mapToLong(
                i ->
                    measure.applyAsLong(numerators.get(i).progress())
                        * 100
                        / Math.max(1, measure.applyAsLong(denominators.get(i).progress()))));
  }

  private static long medianRate(List<Window> windows) {
    return median(windows.stream().mapToLong(w -> w.progress().transfersPerSecond()));
  }

  static long median(LongStream values) {
    long[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private void holdSnapshot(List<Integer> callerCounts) throws SQLException, InterruptedException {
    System.out.printf(
        "%n## An old snapshot held for %d s, one hot account%n%n| callers | arm | snapshot | before"
            + " | first %d s | last %d s | last : before | lock and look-up before, first, last |"
            + " server CPU per transfer before, first, last"
            + " |%n|---|---|---|---|---|---|---|---|---|%n",
        SNAPSHOT_SECONDS, EDGE_SECONDS, EDGE_SECONDS);
    for (int callers : callerCounts) {
      for (StateModel arm : options.arms()) {
        holdSnapshot(arm, callers, false);
        holdSnapshot(arm, callers, true);
      }
    }
  }

  /** Without a snapshot the same minute is the control: tables grow then as well. */
  private void holdSnapshot(StateModel arm, int callers, boolean held)
      throws SQLException, InterruptedException {
    reset();
    try (WriteCycle cycle = new WriteCycle(options.url(), arm);
        Connection reader = WriteCycle.connect(options.url());
        Statement statement = reader.createStatement()) {
      Progress before;
      Progress first;
      Progress last;
      try (Load load = new Load(cycle, callers, true, options.copyFrom())) {
        Thread.sleep(WARM_UP_MILLIS); // tidy: a measuring window
        before = during(load, EDGE_SECONDS);
        reader.setAutoCommit(false);
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        if (held) {
          statement.execute("SELECT count(*) FROM account_state_bench.account");
        }
        first = during(load, EDGE_SECONDS);
        Thread.sleep((SNAPSHOT_SECONDS - 2L * EDGE_SECONDS) * 1_000L); // tidy: a measuring window
        last = during(load, EDGE_SECONDS);
      }
      reader.rollback();
      audit(arm, cycle.progress().transfers());
      System.out.printf(
          Locale.ROOT,
          "| %,d | %s | %s | %,d | %,d | %,d | %d %% | %,d, %,d, %,d µs | %,d, %,d, %,d ns |%n",
          callers,
          arm.name().toLowerCase(Locale.ROOT),
          held ? "held" : "none",
          before.transfersPerSecond(),
          first.transfersPerSecond(),
          last.transfersPerSecond(),
          last.transfersPerSecond() * 100 / before.transfersPerSecond(),
          before.lookUpMicrosPerCycle(),
          first.lookUpMicrosPerCycle(),
          last.lookUpMicrosPerCycle(),
          before.serverCpuNanosPerTransfer(),
          first.serverCpuNanosPerTransfer(),
          last.serverCpuNanosPerTransfer());
    }
  }

  private static Progress during(Load load, int seconds) throws InterruptedException {
    Progress start = load.progress();
    Thread.sleep(seconds * 1_000L); // tidy: a measuring window
    return load.progress().since(start);
  }

  /** The write cycle alone, without callers: which way of sending records wins at which size. */
  private void compareWays() throws SQLException {
    System.out.printf(
        "%n## Ways to send the records, whole cycle, no callers%n%n| arm | accounts | batch | way |"
            + " µs per batch | of it write and commit | server CPU per transfer | lane CPU per"
            + " transfer |%n|---|---|---|---|---|---|---|---|%n");
    for (StateModel arm : options.arms()) {
      for (boolean hot : new boolean[] {true, false}) {
        for (int size : new int[] {1, 4, 16, 64, 128, 256, 512, 1_024, 2_048, 4_096}) {
          compareWays(arm, hot, size);
        }
      }
    }
  }

  private void compareWays(StateModel arm, boolean hot, int size) throws SQLException {
    reset();
    Map<Way, List<Progress>> measured = new EnumMap<>(Way.class);
    for (int repeat = 0; repeat < options.repeats(); repeat++) {
      for (Way way : Way.values()) {
        measured.computeIfAbsent(way, _ -> new ArrayList<>()).add(cycles(arm, way, size, hot));
      }
    }
    measured.forEach(
        (way, runs) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %s | %,d | %s | %,d | %,d | %,d ns | %,d ns |%n",
                arm.name().toLowerCase(Locale.ROOT),
                hot ? "hot" : "uniform",
                size,
                way.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                median(runs.stream().mapToLong(Progress::microsPerCycle)),
                median(runs.stream().mapToLong(Progress::writeMicrosPerCycle)),
                median(runs.stream().mapToLong(Progress::serverCpuNanosPerTransfer)),
                median(runs.stream().mapToLong(Progress::laneCpuNanosPerTransfer))));
  }

  private Progress cycles(StateModel arm, Way way, int size, boolean hot) throws SQLException {
    try (WriteCycle cycle = new WriteCycle(options.url(), arm)) {
      for (int i = 0; i < 20; i++) {
        cycle.commit(batch(size, hot), way);
      }
      Progress start = cycle.progress();
      long end = start.atNanos() + options.seconds() * 1_000_000_000L / 10;
      while (System.nanoTime() < end) {
        cycle.commit(batch(size, hot), way);
      }
      return cycle.progress().since(start);
    }
  }

  private static Batch batch(int size, boolean hot) {
    Transfer[] transfers = new Transfer[size];
    Arrays.setAll(transfers, _ -> Load.random(hot));
    return new Batch(transfers);
  }
}
