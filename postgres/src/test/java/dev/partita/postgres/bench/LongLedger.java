package dev.partita.postgres.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.Progress;
import dev.partita.StatementQuery;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.VerifyReport;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A ledger of many transfers: how fast they are recorded in the beginning and in the end, how long
 * reads take then, and how long {@code verify}. Run it with a small heap.
 *
 * <p>{@code LongLedger URL TRANSFERS}; makes a schema {@code long_ledger}, which must not be there.
 * With 0 transfers it reads the ledger that is there. One account is credited by every transfer,
 * 9,999 others are debited; callers bring batches of 100, and every hundredth transfer has an
 * effective date of its own.
 */
public final class LongLedger {

  private static final int ACCOUNTS = 9_999;
  private static final int CALLERS = 16;
  private static final int BATCH = 100;
  private static final int READS = 400;

  /** Of what takes as long as there are transfers with a date of their own. */
  private static final int LONG_READS = 20;

  private static final int PARTS = 10;
  private static final String SCHEMA = "long_ledger";
  private static final AssetCode EUR = new AssetCode("EUR");
  private static final AccountId HOT = AccountId.of("account:0");

  private final PostgresLedger ledger;
  private final SplittableRandom random = new SplittableRandom(4711);

  private LongLedger(PostgresLedger ledger) {
    this.ledger = ledger;
  }

  public static void main(String[] arguments) throws Exception {
    long transfers = Long.parseLong(arguments[1]);
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(arguments[0]);
    PostgresConfig config = PostgresConfig.builder().schema(SCHEMA).build();
    try (HikariDataSource source = new HikariDataSource(pool)) {
      new PostgresSchema(source, SCHEMA).migrate();
      run(source, config, transfers);
    }
  }

  private static void run(HikariDataSource source, PostgresConfig config, long transfers)
      throws InterruptedException, ExecutionException {
    try (PostgresLedger ledger = PostgresLedger.open(source, config)) {
      LongLedger bench = new LongLedger(ledger);
      if (transfers > 0) {
        bench.open();
        for (int part = 1; part <= PARTS; part++) {
          bench.post(transfers / PARTS, part);
        }
      }
      bench.read();
      bench.verify();
    }
  }

  private void open() {
    ledger.register(List.of(Asset.iso("EUR")));
    List<NewAccount> accounts = new ArrayList<>();
    for (int i = 0; i <= ACCOUNTS; i++) {
      accounts.add(NewAccount.of("account:" + i, "EUR"));
    }
    ledger.open(accounts);
  }

  private void post(long transfers, int part) throws InterruptedException, ExecutionException {
    AtomicLong left = new AtomicLong(transfers);
    long begin = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        callers.add(
            threads.submit(
                () -> {
                  while (left.addAndGet(-BATCH) >= 0) {
                    post();
                  }
                }));
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        Locale.ROOT, "part %2d of %d: %,8.0f transfers/s%n", part, PARTS, transfers / seconds);
  }

  private void post() {
    PostItem[] items = new PostItem[BATCH];
    Arrays.setAll(items, i -> transfer(ThreadLocalRandom.current(), i));
    if (ledger.post(new PostRequest(Arrays.asList(items))).transfers().stream()
        .anyMatch(result -> result.status() != TransferStatus.CREATED)) {
      throw new IllegalStateException("refused");
    }
  }

  private static TransferRequest transfer(ThreadLocalRandom random, int i) {
    TransferRequest direct =
        TransferRequest.direct(
            Ids.timeOrdered(Instant.now(), random),
            EUR,
            AccountId.of("account:" + random.nextInt(1, ACCOUNTS + 1)),
            HOT,
            Amount.ofMinor(random.nextInt(1, 1_000_000)));
    return i == 0
        ? direct.effectiveAt(
            Instant.now().minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.SECONDS))
        : direct;
  }

  private interface Read {
    void of(AccountId account, Instant at);
  }

  private void read() {
    Instant from = ledger.account(HOT).orElseThrow().openedAt().plusSeconds(1);
    Instant to = ledger.balance(HOT).settledUntil();
    for (boolean hot : new boolean[] {true, false}) {
      String whose = hot ? "hot account" : "another account";
      time(READS, whose + ", balance now", hot, from, to, (id, at) -> ledger.balance(id));
      time(READS, whose + ", as recorded", hot, from, to, ledger::balanceAsRecorded);
      time(
          READS,
          whose + ", newest 100 entries",
          hot,
          from,
          to,
          (id, at) -> ledger.statement(StatementQuery.newestFirst(id, 100)));
      time(
          READS,
          whose + ", next 100 entries",
          hot,
          from,
          to,
          (id, at) -> {
            StatementQuery query = StatementQuery.newestFirst(id, 100);
            ledger.statement(query.from(ledger.statement(query).next()));
          });
      time(LONG_READS, whose + ", as effective", hot, from, to, ledger::balanceAsEffective);
    }
  }

  private void time(int reads, String what, boolean hot, Instant from, Instant to, Read read) {
    long[] nanos = new long[reads];
    for (int i = -reads / 4; i < reads; i++) { // The first quarter is for the compiler.
      AccountId id = hot ? HOT : AccountId.of("account:" + random.nextInt(1, ACCOUNTS + 1));
      long offset = random.nextLong(Duration.between(from, to).toMillis());
      long begin = System.nanoTime();
      read.of(id, from.plusMillis(offset));
      if (i >= 0) {
        nanos[i] = System.nanoTime() - begin;
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%s: p50 %.2f ms, p99 %.2f ms, longest %.2f ms%n",
        what,
        nanos[reads / 2] / 1e6,
        nanos[reads * 99 / 100] / 1e6,
        nanos[reads - 1] / 1e6);
  }

  private void verify() {
    long begin = System.nanoTime();
    VerifyReport report = ledger.verify(Progress.NONE);
    System.out.printf(
        Locale.ROOT,
        "verify: %s in %.0f s, heap at most %d MiB%n",
        report.clean() ? "clean" : report.violations(),
        (System.nanoTime() - begin) / 1e9,
        Runtime.getRuntime().maxMemory() >> 20);
  }
}
