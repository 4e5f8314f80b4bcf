package dev.partita.cli.ingest;

import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Posts rows: several lanes beside each other, each with one request in flight while the next one
 * is read, so that memory stays bounded and order within a lane is that of the file.
 */
public final class Importer {

  /** Requests in flight. */
  static final int LANES = 4;

  /** Rows of one request: enough to be fast, few enough to be repeated cheaply. */
  private static final int REQUEST_ROWS = 1_000;

  /**
   * How long a request without an answer is repeated. The ledger itself tries as long before it
   * says so, unless that cannot help: then what does not go away ends the import.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long PAUSE_MIN_MILLIS = 200;
  private static final long PAUSE_MAX_MILLIS = 5_000;

  private final Ledger ledger;
  private final Lanes order;
  private final Tally tally;
  private final Progress progress;
  private final Duration patience;
  private final Lane[] lanes = new Lane[LANES];

  private static final class Lane {
    private List<Row> filling = new ArrayList<>(REQUEST_ROWS);
    private @Nullable Future<?> inFlight;
  }

  Importer(Ledger ledger, Lanes order, Tally tally, Progress progress, Duration patience) {
    this.patience = patience;
    this.ledger = ledger;
    this.order = order;
    this.tally = tally;
    this.progress = progress;
    for (int i = 0; i < LANES; i++) {
      lanes[i] = new Lane();
    }
  }

  /** Posts the transactions of a bank: each customer's in file order. */
  public static Importer ofBerka(Ledger ledger, Tally tally, Progress progress) {
    Lanes byCustomer =
        Lanes.byAccount(
            LANES,
            request ->
                BerkaRows.EXTERNAL.equals(request.debit())
                    ? java.util.Objects.requireNonNull(request.credit())
                    : java.util.Objects.requireNonNull(request.debit()));
    return new Importer(ledger, byCustomer, tally, progress, PATIENCE);
  }

  /** Posts transfers: those of accounts with limits in file order. */
  public static Importer ofTransfers(Ledger ledger, Tally tally, Progress progress) {
    Lanes byLimits =
        Lanes.byLimits(
            LANES,
            id ->
                ledger
                    .account(id)
                    .map(a -> a.limits().minBalance() != null || a.limits().maxBalance() != null)
                    .orElse(false));
    return new Importer(ledger, byLimits, tally, progress, PATIENCE);
  }

  /**
   * Reads and posts all rows. When it ends, for whatever reason, nothing is in flight any more.
   *
   * @throws UnavailableException if the ledger stays unavailable; importing again goes on
   * @throws dev.partita.MisuseException if the file cannot be read on
   * @throws InterruptedException if interrupted; what was in flight has been waited for
   */
  public void run(Rows rows) throws InterruptedException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      while (true) {
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted");
        }
        Rows.Next next = nextOf(rows, executor);
        if (next == null) {
          break;
        }
        tally.read();
        switch (next) {
          case Rows.Next.Malformed malformed ->
              tally.malformed(malformed.line(), malformed.problem());
          case Rows.Next.Ready ready -> add(ready.row(), rows, executor);
        }
      }
      drain(rows, executor);
    }
  }

  /** If the file cannot be read on, what was read before is still posted. */
  private Rows.@Nullable Next nextOf(Rows rows, ExecutorService executor)
      throws InterruptedException {
    try {
      return rows.next();
    } catch (MisuseException e) {
      drain(rows, executor);
      throw e;
    }
  }

  private void add(Row row, Rows rows, ExecutorService executor) throws InterruptedException {
    int number = order.laneOf(row.request());
    if (number == Lanes.DRAIN_FIRST) {
      drain(rows, executor);
      number = order.laneOf(row.request());
    }
    Lane lane = lanes[number];
    lane.filling.add(row);
    if (lane.filling.size() >= REQUEST_ROWS) {
      send(lane, rows, executor);
    }
  }

  private void drain(Rows rows, ExecutorService executor) throws InterruptedException {
    for (Lane lane : lanes) {
      send(lane, rows, executor);
    }
    for (Lane lane : lanes) {
      await(lane);
    }
  }

  private void send(Lane lane, Rows rows, ExecutorService executor) throws InterruptedException {
    if (lane.filling.isEmpty()) {
      return;
    }
    rows.prepare();
    await(lane);
    List<Row> batch = lane.filling;
    lane.filling = new ArrayList<>(REQUEST_ROWS);
    lane.inFlight = executor.submit(() -> post(batch));
  }

  private static void await(Lane lane) throws InterruptedException {
    Future<?> inFlight = lane.inFlight;
    if (inFlight == null) {
      return;
    }
    try {
      inFlight.get();
      lane.inFlight = null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void post(List<Row> batch) {
    PostRequest request = new PostRequest(batch.stream().<PostItem>map(Row::request).toList());
    PostResult result = postPatiently(request);
    for (int i = 0; i < batch.size(); i++) {
      tally.answered(batch.get(i), result.items().get(i).transfers().getFirst());
    }
    progress.report(tally.answered(), 0);
  }

  /** Repeats what had no answer: with the same ids that is always safe. */
  private PostResult postPatiently(PostRequest request) {
    long begunNanos = System.nanoTime();
    long pauseMillis = PAUSE_MIN_MILLIS;
    while (true) {
      try {
        return ledger.post(request);
      } catch (UnavailableException e) {
        if (System.nanoTime() - begunNanos >= patience.toNanos() || !isWorthRepeating(e.reason())) {
          throw e;
        }
      }
      try {
        Thread.sleep(pauseMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException(
            UnavailableException.Reason.WITHDRAWN,
            UnavailableException.Outcome.UNKNOWN,
            "interrupted while waiting to repeat",
            e);
      }
      pauseMillis = Math.min(2 * pauseMillis, PAUSE_MAX_MILLIS);
    }
  }

  private static boolean isWorthRepeating(UnavailableException.Reason reason) {
    return switch (reason) {
      case QUEUE_FULL, CONTENTION, TIMED_OUT, DATABASE_UNAVAILABLE, CONFLICT -> true;
      case WITHDRAWN, CLOSED, DATABASE_ERROR, SCHEMA_TOO_NEW -> false;
    };
  }
}
