package dev.partita.postgres.bench;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.NewAccount;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What a hot account costs: the transaction everybody writes first (BEGIN, two UPDATEs, an INSERT
 * of both entries, COMMIT, a connection a caller) against Partita, one transfer a call, on the same
 * server in one interleaved run. Everything durable.
 *
 * <p>{@code FoundationBench [--seconds N] [--rounds N] [--callers 1,4,16,64]}
 */
public final class FoundationBench {

  private static final int ACCOUNTS = 10_000;
  private static final int NAIVE_CONNECTIONS_MAX = 64;
  private static final String HOT = "fee";
  private static final AssetCode EUR = new AssetCode("EUR");

  private final PGSimpleDataSource owner;
  private final PostgresLedger ledger;
  private final int seconds;

  private FoundationBench(PGSimpleDataSource owner, PostgresLedger ledger, int seconds) {
    this.owner = owner;
    this.ledger = ledger;
    this.seconds = seconds;
  }

  /** One caller's work: a transfer, done when this returns. */
  private interface Caller extends AutoCloseable {
    void transfer() throws Exception;

    @Override
    default void close() throws SQLException {}
  }

  private interface Contender {
    Caller caller() throws SQLException;
  }

  private record Measured(long perSecond, double medianMillis) {}

  public static void main(String[] arguments) throws Exception {
    List<String> options = Arrays.asList(arguments);
    int seconds = Integer.parseInt(option(options, "--seconds", "4"));
    int rounds = Integer.parseInt(option(options, "--rounds", "3"));
    String[] callers = option(options, "--callers", "1,4,16,64").split(",", -1);
    Path directory = Files.createTempDirectory("partita-bench");
    try (EmbeddedPostgres server =
        EmbeddedPostgres.start(EmbeddedPostgresConfig.builder(directory).build())) {
      PGSimpleDataSource owner = dataSource(server.owner());
      PostgresSchema schema = new PostgresSchema(owner, "partita");
      schema.migrate();
      schema.grant(server.application().user());
      try (PostgresLedger ledger =
          PostgresLedger.open(dataSource(server.application()), PostgresConfig.defaults())) {
        FoundationBench bench = new FoundationBench(owner, ledger, seconds);
        bench.prepare();
        for (String count : callers) {
          bench.compare(Integer.parseInt(count), rounds);
        }
        bench.report();
      }
    }
  }

  private void prepare() throws SQLException {
    ledger.register(List.of(Asset.iso("EUR")));
    List<NewAccount> accounts = new ArrayList<>();
    accounts.add(NewAccount.of(HOT, "EUR"));
    for (int i = 1; i < ACCOUNTS; i++) {
      accounts.add(NewAccount.of("buyer:" + i, "EUR"));
    }
    ledger.open(accounts);
    try (Connection connection = owner.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE SCHEMA naive; CREATE TABLE naive.account (id int PRIMARY KEY, balance bigint NOT"
              + " NULL); CREATE TABLE naive.entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY"
              + " KEY, transfer uuid NOT NULL, account int NOT NULL, amount bigint NOT NULL, at"
              + " timestamptz NOT NULL DEFAULT now()); INSERT INTO naive.account SELECT n, 0 FROM"
              + " generate_series(0, "
              + (ACCOUNTS - 1)
              + ") n; ANALYZE naive.account");
    }
  }

  private void compare(int callers, int rounds) throws Exception {
    List<Measured> naive = new ArrayList<>();
    List<Measured> partita = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      naive.add(measure(Naive::new, Math.min(callers, NAIVE_CONNECTIONS_MAX)));
      partita.add(measure(() -> this::post, callers));
      ratios.add((double) partita.getLast().perSecond() / naive.getLast().perSecond());
    }
    ratios.sort(null);
    System.out.printf(
        Locale.ROOT,
        "%5d callers: naive %7d/s p50 %7.2f ms | partita %7d/s p50 %7.2f ms | ratio %.1f (%.1f …"
            + " %.1f)%n",
        callers,
        median(naive.stream().map(m -> (double) m.perSecond()).toList()).longValue(),
        median(naive.stream().map(Measured::medianMillis).toList()),
        median(partita.stream().map(m -> (double) m.perSecond()).toList()).longValue(),
        median(partita.stream().map(Measured::medianMillis).toList()),
        median(ratios),
        ratios.getFirst(),
        ratios.getLast());
  }

  /** Lets callers run for a warm-up second, then counts for {@code seconds}. */
  private Measured measure(Contender contender, int callers) throws Exception {
    ConcurrentLinkedQueue<long[]> transfers = new ConcurrentLinkedQueue<>();
    AtomicReference<Exception> failure = new AtomicReference<>();
    long start = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    long end = start + TimeUnit.SECONDS.toNanos(seconds);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Caller caller = contender.caller()) {
                      long began = System.nanoTime();
                      while (began < end) {
                        caller.transfer();
                        long ended = System.nanoTime();
                        if (began >= start && ended < end) {
                          transfers.add(new long[] {ended - began});
                        }
                        began = ended;
                      }
                    } catch (Exception e) {
                      failure.compareAndSet(null, e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    long[] nanos = transfers.stream().mapToLong(each -> each[0]).sorted().toArray();
    return new Measured(nanos.length / seconds, nanos[nanos.length / 2] / 1e6);
  }

  private void post() {
    TransferStatus status =
        ledger
            .post(
                TransferRequest.direct(
                    Ids.timeOrdered(Instant.now(), ThreadLocalRandom.current()),
                    EUR,
                    AccountId.of("buyer:" + randomAccount()),
                    AccountId.of(HOT),
                    Amount.ofMinor(ThreadLocalRandom.current().nextInt(1, 1_000_000))))
            .status();
    if (status != TransferStatus.CREATED) {
      throw new IllegalStateException("refused: " + status);
    }
  }

  private static int randomAccount() {
    return ThreadLocalRandom.current().nextInt(1, ACCOUNTS);
  }

  /** The interactive transaction, on a connection of its own. */
  private final class Naive implements Caller {
    private final Connection connection = owner.getConnection();
    private final PreparedStatement update;
    private final PreparedStatement insert;

    Naive() throws SQLException {
      connection.setAutoCommit(false);
      update =
          connection.prepareStatement(
              "UPDATE naive.account SET balance = balance + ? WHERE id = ?");
      insert =
          connection.prepareStatement(
              "INSERT INTO naive.entry (transfer, account, amount) VALUES (?, ?, ?), (?, ?, ?)");
    }

    @Override
    public void transfer() throws SQLException {
      int debit = randomAccount();
      long amount = ThreadLocalRandom.current().nextInt(1, 1_000_000);
      UUID id = Ids.timeOrdered(Instant.now(), ThreadLocalRandom.current());
      update(debit, -amount);
      update(0, amount);
      insert.setObject(1, id);
      insert.setInt(2, debit);
      insert.setLong(3, -amount);
      insert.setObject(4, id);
      insert.setInt(5, 0);
      insert.setLong(6, amount);
      insert.executeUpdate();
      connection.commit();
    }

    private void update(int account, long amount) throws SQLException {
      update.setLong(1, amount);
      update.setInt(2, account);
      update.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private void report() throws SQLException {
    String sizes =
        "SELECT count(*), pg_table_size('partita.transfer'), pg_indexes_size('partita.transfer'),"
            + " version() FROM partita.transfer";
    try (Connection connection = owner.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sizes)) {
      row.next();
      long count = row.getLong(1);
      System.out.printf(
          Locale.ROOT,
          "%d transfers, %d bytes each: %d in the table, %d in indexes%n%s, %d cores, Java %s%n",
          count,
          (row.getLong(2) + row.getLong(3)) / count,
          row.getLong(2) / count,
          row.getLong(3) / count,
          row.getString(4),
          Runtime.getRuntime().availableProcessors(),
          Runtime.version());
    }
    boolean clean = ledger.verify((done, total) -> {}).clean();
    System.out.println("verify: " + (clean ? "clean" : "VIOLATIONS"));
  }

  private static Double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    sorted.sort(null);
    return sorted.get(sorted.size() / 2);
  }

  private static PGSimpleDataSource dataSource(Login login) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(login.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(login.password());
    return source;
  }

  private static String option(List<String> options, String name, String otherwise) {
    int at = options.indexOf(name);
    return at < 0 ? otherwise : options.get(at + 1);
  }
}
