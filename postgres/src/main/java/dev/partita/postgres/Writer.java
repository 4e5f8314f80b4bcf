package dev.partita.postgres;

import dev.partita.LedgerException;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TimeSource;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.rules.Restoration;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: the queue, the lanes that empty it, and the callers' side of both. Safe for use by
 * any number of threads.
 */
final class Writer implements AutoCloseable {

  private static final int RESTORE_TRANSFERS = 5_000;
  private static final long OVERDUE_CHECK_MILLIS = 100;

  private final DataSource dataSource;
  private final PostgresConfig config;
  private final ReadSession reads;
  private final LookUp lookUp;
  private final RecordWriter recordWriter;
  private final WriteQueue queue;
  private final SchemaGate gate;
  private final Reports reports;
  private final List<Lane> lanes = new ArrayList<>();
  private final Executor answers = task -> Thread.ofVirtual().name("partita-answer").start(task);
  private final CountDownLatch closing = new CountDownLatch(1);

  Writer(DataSource dataSource, PostgresConfig config, EngineListener listener) {
    this.gate = new SchemaGate(config.schema());
    this.reports = new Reports(listener, config.patience());
    this.dataSource = dataSource;
    this.config = config;
    this.reads = new ReadSession(dataSource);
    this.lookUp = new LookUp(config.schema(), config.timeSource(), new AccountNumbers());
    this.recordWriter = new RecordWriter(config.schema());
    this.queue = new WriteQueue(config.queueTransfersMax(), config.queueBytesMax());
  }

  /**
   * Starts the lanes.
   *
   * @throws MisuseException if the data source's connections cannot serve as lanes
   * @throws UnavailableException if the database cannot be written now
   */
  void start() {
    for (int i = 0; i < config.lanes(); i++) {
      lanes.add(
          new Lane(
              queue,
              new LaneConnection(dataSource, config, gate),
              lookUp,
              recordWriter,
              new LaneAnswers(queue, answers, reports),
              new LaneRounds.Bounds(config.batchTransfersMax(), config.contentionPatience())));
    }
    boolean connected = false;
    try {
      for (Lane lane : lanes) {
        connect(lane);
      }
      connected = true;
    } finally {
      if (!connected) {
        lanes.forEach(Lane::abandon);
      }
    }
    for (Lane lane : lanes) {
      for (int i = 0; i < Lane.THREADS; i++) {
        start("lane", lane);
      }
    }
    start("patience", this::failOverdue);
  }

  private static void connect(Lane lane) {
    try {
      lane.connectFirst();
    } catch (SchemaGate.TooNewException e) {
      throw new MisuseException("schema", String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      if (SqlFailures.classify(e) == SqlFailures.Failure.NO_SESSION) {
        throw new MisuseException("dataSource", String.valueOf(e.getMessage()));
      }
      throw SqlFailures.unavailable(e, "opening the ledger");
    } catch (RecordWriter.UnknownCommitException e) {
      throw new UnavailableException(
          Reason.DATABASE_UNAVAILABLE, Outcome.NOT_POSTED, "opening the ledger: " + e, e);
    }
  }

  private void start(String name, Runnable work) {
    Thread.ofPlatform().daemon().name("partita-" + name + "-" + config.schema()).start(work);
  }

  /** Answers requests that no lane takes up in time, so that callers need no timer of their own. */
  private void failOverdue() {
    try {
      while (!closing.await(OVERDUE_CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
        for (Ticket ticket : queue.takeOverdue(System.nanoTime())) {
          fail(ticket, LaneFailures.timedOut(false));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(Ticket ticket, UnavailableException failure) {
    reports.unanswered(ticket, failure);
    answers.execute(() -> ticket.answer().completeExceptionally(failure));
  }

  /** How the queue and the lanes are. */
  EngineState state() {
    int connected = 0;
    int stopped = 0;
    for (Lane lane : lanes) {
      connected += lane.isConnected() ? 1 : 0;
      stopped += lane.isStopped() ? 1 : 0;
    }
    return queue.state(lanes.size(), connected, stopped);
  }

  /** Looks whether the schema has become too new for this node. */
  void lookAtSchema() {
    reads.with(
        "reading the schema's version",
        connection -> {
          try {
            gate.look(connection);
          } catch (SchemaGate.TooNewException e) {
            return false; // The gate is closed, and has said so.
          }
          return true;
        });
  }

  boolean isSchemaUnderstood() {
    return gate.isOpen();
  }

  /** What a schema that is too new does not let through. */
  SchemaGate gate() {
    return gate;
  }

  /** The look-up, for transactions that are not a lane's. */
  LookUp lookUp() {
    return lookUp;
  }

  PostResult post(PostRequest request) {
    if (request.items().isEmpty()) {
      requireOpen();
      return new PostResult(List.of());
    }
    return await(enqueue(request.items(), null));
  }

  CompletableFuture<PostResult> submit(PostRequest request) {
    if (request.items().isEmpty()) {
      requireOpen();
      return CompletableFuture.completedFuture(new PostResult(List.of()));
    }
    Ticket ticket = newTicket(request.items(), null);
    Submission submission = new Submission(ticket);
    // The caller's own callbacks run on a thread of their own, never on the one that answers
    // others.
    CompletableFuture<PostResult> unused =
        ticket
            .answer()
            .whenCompleteAsync(
                (result, failure) -> {
                  if (failure == null) {
                    submission.complete(result);
                  } else {
                    submission.completeExceptionally(failure);
                  }
                },
                answers);
    try {
      add(ticket);
    } catch (UnavailableException e) {
      submission.completeExceptionally(e);
    }
    return submission;
  }

  /** A submitted request's future; cancelling it withdraws the request if it still waits. */
  private static final class Submission extends CompletableFuture<PostResult> {
    private final Ticket ticket;

    Submission(Ticket ticket) {
      this.ticket = ticket;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      ticket.withdraw();
      return super.cancel(mayInterruptIfRunning);
    }
  }

  InTransaction inTransaction(Connection connection) {
    requireWritable();
    return new InTransaction(connection, lookUp, recordWriter);
  }

  List<Transfer> expireDue(int limit) {
    Page.requireLimit(limit);
    requireWritable();
    List<Ticket> tickets = new ArrayList<>();
    @Nullable UnavailableException failure = null;
    for (DueHold hold : dueHolds(limit, null).holds()) {
      try {
        tickets.add(enqueue(List.of(TransferRequest.expiry(hold.id())), null));
      } catch (UnavailableException e) {
        failure = e;
        break;
      }
    }
    List<Transfer> expired = new ArrayList<>();
    for (Ticket ticket : tickets) {
      try {
        TransferResult result = awaitExpiry(ticket);
        if (result != null && result.status() == TransferStatus.CREATED) {
          expired.add(result.orThrow());
        }
      } catch (UnavailableException e) {
        failure = e;
      }
    }
    // What was recorded is answered. The rest stays due, and the next call meets what stopped it.
    if (failure != null && expired.isEmpty()) {
      throw failure;
    }
    return expired;
  }

  /** A hold whose accounts others keep locked stays due; the others' expiry counts all the same. */
  private static @Nullable TransferResult awaitExpiry(Ticket ticket) {
    try {
      return await(ticket).transfers().getFirst();
    } catch (UnavailableException e) {
      if (e.reason() == Reason.CONTENTION) {
        return null;
      }
      throw e;
    }
  }

  /**
   * Sends due holds to the lanes without waiting for the answers.
   *
   * @param underWay holds sent before and not answered yet; kept up to date
   * @param from the deadline to begin at; null for the first there is
   * @return the deadline to begin at the next time, as far as can be known: transactions that
   *     commit late may add holds that are due for longer
   */
  Instant sweep(Set<UUID> underWay, @Nullable Instant from) {
    DueHolds due = dueHolds(Page.LIMIT_MAX + underWay.size(), from);
    for (DueHold hold : due.holds()) {
      UUID holdId = hold.id();
      if (underWay.add(holdId)) {
        Ticket ticket = newTicket(List.of(TransferRequest.expiry(holdId)), null);
        CompletableFuture<PostResult> unused =
            ticket.answer().whenComplete((result, failure) -> underWay.remove(holdId));
        try {
          add(ticket);
        } catch (UnavailableException e) {
          underWay.remove(holdId);
          throw e;
        }
      }
    }
    return due.holds().isEmpty() ? due.asOf() : due.holds().getFirst().deadline();
  }

  private record DueHold(UUID id, Instant deadline) {}

  private record DueHolds(Instant asOf, List<DueHold> holds) {}

  /** Reads without locks: whoever finds a hold ended meanwhile records nothing. */
  private DueHolds dueHolds(int limit, @Nullable Instant from) {
    TimeSource clock = config.timeSource();
    Instant ownNow = clock == null ? null : clock.now().truncatedTo(ChronoUnit.MICROS);
    return reads.askInOrder(
        "looking for due holds",
        new SqlQuery().add("SELECT clock_timestamp()"),
        dueHolds(config.schema(), ownNow, from, limit),
        (time, rows) -> {
          time.next();
          List<DueHold> due = new ArrayList<>();
          while (rows.next()) {
            due.add(new DueHold(TransferRows.uuid(rows, 1), TransferRows.instant(rows, 2)));
          }
          return new DueHolds(ownNow == null ? TransferRows.instant(time, 1) : ownNow, due);
        });
  }

  static SqlQuery dueHolds(
      String schema, @Nullable Instant ownNow, @Nullable Instant from, int limit) {
    SqlQuery query =
        new SqlQuery().add("SELECT id, deadline FROM " + schema + ".hold WHERE deadline <= ");
    if (ownNow == null) {
      // In a subquery, asked once: bare it would be compared with every hold that is not due.
      query.add("(SELECT clock_timestamp())");
    } else {
      query.add("?", ownNow);
    }
    if (from != null) {
      query.add(" AND deadline >= ?", from);
    }
    return query.add(" ORDER BY deadline, batch, batch_index LIMIT ?", limit);
  }

  /** Records again, part by part and in order: later parts build on earlier ones. */
  void restore(List<Transfer> records) {
    List<Restoration> chunk = new ArrayList<>();
    int transfers = 0;
    for (Restoration part : Restoration.of(records)) {
      chunk.add(part);
      transfers += part.expected().size();
      if (transfers >= RESTORE_TRANSFERS) {
        restoreChunk(chunk);
        chunk = new ArrayList<>();
        transfers = 0;
      }
    }
    if (!chunk.isEmpty()) {
      restoreChunk(chunk);
    }
  }

  private void restoreChunk(List<Restoration> parts) {
    await(enqueue(parts.stream().map(Restoration::item).toList(), parts));
  }

  private Ticket enqueue(List<PostItem> items, @Nullable List<Restoration> restorations) {
    Ticket ticket = newTicket(items, restorations);
    add(ticket);
    return ticket;
  }

  private void add(Ticket ticket) {
    try {
      gate.requireOpen();
      queue.add(ticket);
    } catch (UnavailableException e) {
      reports.unanswered(ticket, e);
      throw e;
    }
  }

  private Ticket newTicket(List<PostItem> items, @Nullable List<Restoration> restorations) {
    return new Ticket(items, restorations, System.nanoTime() + config.patience().toNanos());
  }

  /**
   * Waits for the answer; a request that is still queued can be withdrawn, one in a batch cannot.
   */
  private static PostResult await(Ticket ticket) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return ticket.answer().get();
        } catch (InterruptedException e) {
          interrupted = true;
          if (ticket.withdraw()) {
            throw new UnavailableException(
                Reason.WITHDRAWN,
                Outcome.NOT_POSTED,
                "the caller was interrupted while the request waited; nothing was posted",
                e);
          }
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LedgerException failure) {
        throw failure;
      }
      throw new IllegalStateException("a lane answers with the ledger's own failures", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void requireOpen() {
    if (queue.isClosed()) {
      throw WriteQueue.closed();
    }
  }

  /** Requires that this node may still write, before it does so outside the lanes. */
  void requireWritable() {
    requireOpen();
    gate.requireOpen();
  }

  /** Answers what a lane has taken up, refuses what waits. */
  @Override
  public void close() {
    queue.close();
    closing.countDown();
    lanes.forEach(Lane::stop);
    // Not interruptible: nobody but this answers them any more.
    for (Ticket ticket : queue.drain()) {
      ticket.answer().completeExceptionally(WriteQueue.closed());
    }
    try {
      Duration atMost = config.patience().multipliedBy(2);
      for (Lane lane : lanes) {
        if (!lane.awaitStopped(atMost)) {
          System.getLogger(Writer.class.getName())
              .log(System.Logger.Level.WARNING, "a lane did not end within {0}", atMost);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
