package dev.partita.postgres.bench;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A ledger of many transfers: how fast they are recorded in the beginning and in the end, how long
 * reads take then, and how long {@code verify}. Run it with a small heap.
 *
 * <p>{@code LongLedger URL TRANSFERS}; makes a schema {@code long_ledger}, which must not be there.
 * One account is credited by every transfer, 10,000 others are debited; callers bring batches of
 * 100, and every hundredth transfer has an effective date of its own.
 */
public final class LongLedger {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;
  private static final int BATCH = 100;
  private static final int READS = 400;
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
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(arguments[0]);
    new PostgresSchema(source, SCHEMA).migrate();
    PostgresConfig config = PostgresConfig.builder().schema(SCHEMA).build();
    try (PostgresLedger ledger = PostgresLedger.open(source, config)) {
      ledger.register(List.of(Asset.iso("EUR")));
      List<NewAccount> accounts = new ArrayList<>();
      for (int i = 0; i <= ACCOUNTS; i++) {
        accounts.add(NewAccount.of("account:" + i, "EUR"));
      }
      ledger.open(accounts);
      LongLedger bench = new LongLedger(ledger);
      Instant began = Instant.now();
      for (int part = 1; part <= PARTS; part++) {
        bench.post(transfers / PARTS, part);
      }
      bench.read(began, Instant.now());
      bench.verify();
    }
  }

  private void post(long transfers, int part) throws InterruptedException {
    AtomicLong left = new AtomicLong(transfers);
    long begin = System.nanoTime();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          Thread.startVirtualThread(
              () -> {
                while (left.addAndGet(-BATCH) >= 0) {
                  post();
                }
              }));
    }
    for (Thread caller : callers) {
      caller.join();
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
    return i == 0 ? direct.effectiveAt(Instant.now().minus(Duration.ofDays(3))) : direct;
  }

  private interface Read {
    void of(AccountId account, Instant at);
  }

  private void read(Instant from, Instant to) {
    for (boolean hot : new boolean[] {true, false}) {
      String whose = hot ? "hot account" : "another account";
      time(whose + ", balance now", hot, from, to, (id, at) -> ledger.balance(id));
      time(whose + ", as recorded", hot, from, to, ledger::balanceAsRecorded);
      time(whose + ", as effective", hot, from, to, ledger::balanceAsEffective);
      time(
          whose + ", newest 100 entries",
          hot,
          from,
          to,
          (id, at) -> ledger.statement(StatementQuery.newestFirst(id, 100)));
      time(
          whose + ", next 100 entries",
          hot,
          from,
          to,
          (id, at) -> {
            StatementQuery query = StatementQuery.newestFirst(id, 100);
            ledger.statement(query.from(ledger.statement(query).next()));
          });
    }
  }

  private void time(String what, boolean hot, Instant from, Instant to, Read read) {
    long[] nanos = new long[READS];
    for (int i = -READS / 4; i < READS; i++) { // The first quarter is for the compiler.
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
        nanos[READS / 2] / 1e6,
        nanos[READS * 99 / 100] / 1e6,
        nanos[READS - 1] / 1e6);
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
