package dev.partita.postgres.bench;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One build of Partita under load, for {@link SideBySide}, which loads this class once for each
 * build. Nothing but classes of the JDK passes between the two.
 */
public final class HotLoad implements Function<Map<String, Long>, Map<String, Double>> {

  private static final int ACCOUNTS = 10_000;
  private static final AssetCode EUR = new AssetCode("EUR");

  private final PostgresLedger ledger;
  private final List<AccountId> accounts = new ArrayList<>();

  /** A ledger with accounts in a schema of its own; the first account is the hot one. */
  public HotLoad(String url, String schema) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    new PostgresSchema(source, schema).migrate();
    ledger = PostgresLedger.open(source, PostgresConfig.builder().schema(schema).build());
    ledger.register(List.of(Asset.iso("EUR")));
    List<NewAccount> opened = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.add(AccountId.of("account:" + i));
      opened.add(NewAccount.of("account:" + i, "EUR"));
    }
    ledger.open(opened);
  }

  /**
   * Runs callers in a closed loop.
   *
   * @param options {@code callers}, {@code batch} (transfers a call), {@code uniform} (1 or 0),
   *     {@code warmUpNanos}, {@code nanos}
   * @return {@code transfers} in the window, {@code all} of them, {@code p50Micros}
   */
  @Override
  public Map<String, Double> apply(Map<String, Long> options) {
    long start = System.nanoTime() + options.get("warmUpNanos");
    long end = start + options.get("nanos");
    ConcurrentLinkedQueue<long[]> calls = new ConcurrentLinkedQueue<>();
    AtomicReference<Exception> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < options.get("callers"); i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  call(options, end, calls);
                } catch (RuntimeException e) {
                  failure.compareAndSet(null, e);
                }
              }));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
    long batch = options.get("batch");
    long[] nanos =
        calls.stream()
            .filter(call -> call[0] >= start && call[1] < end)
            .mapToLong(call -> call[1] - call[0])
            .sorted()
            .toArray();
    return Map.of(
        "transfers", (double) batch * nanos.length,
        "all", (double) batch * calls.size(),
        "p50Micros", nanos.length == 0 ? 0 : nanos[nanos.length / 2] / 1e3);
  }

  private void call(Map<String, Long> options, long end, ConcurrentLinkedQueue<long[]> calls) {
    SplittableRandom random = new SplittableRandom();
    boolean uniform = options.get("uniform") == 1;
    PostItem[] items = new PostItem[Math.toIntExact(options.get("batch"))];
    for (long began = System.nanoTime(); began < end; ) {
      for (int i = 0; i < items.length; i++) {
        items[i] = transfer(random, uniform);
      }
      PostResult result = ledger.post(new PostRequest(Arrays.asList(items)));
      if (!result.transfers().stream().allMatch(one -> one.status() == TransferStatus.CREATED)) {
        throw new IllegalStateException("refused: " + result);
      }
      long ended = System.nanoTime();
      calls.add(new long[] {began, ended});
      began = ended;
    }
  }

  private TransferRequest transfer(SplittableRandom random, boolean uniform) {
    int payer = random.nextInt(1, ACCOUNTS);
    int payee = uniform ? (payer + random.nextInt(1, ACCOUNTS)) % ACCOUNTS : 0;
    return TransferRequest.direct(
        Ids.timeOrdered(Instant.now(), ThreadLocalRandom.current()),
        EUR,
        accounts.get(payer),
        accounts.get(payee),
        Amount.ofMinor(random.nextInt(1, 1_000_000)));
  }
}
