package dev.partita.postgres;

import dev.partita.LedgerException;
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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: the queue, the lanes that empty it, and the callers' side of both. Safe for use by any
 * number of threads.
 */
final class Writer implements AutoCloseable {

  private static final int RESTORE_TRANSFERS = 5_000;

  private final DataSource dataSource;
  private final PostgresConfig config;
  private final LookUp lookUp;
  private final RecordWriter recordWriter;
  private final WriteQueue queue;
  private final List<Lane> lanes = new ArrayList<>();
  private final ExecutorService answers = Executors.newVirtualThreadPerTaskExecutor();

  Writer(DataSource dataSource, PostgresConfig config) {
    this.dataSource = dataSource;
    this.config = config;
    this.lookUp = new LookUp(config.schema(), config.timeSource(), new AccountNumbers());
    this.recordWriter = new RecordWriter(config.schema());
    this.queue = new WriteQueue(config.queueTransfersMax(), config.queueBytesMax());
  }

  /** Starts the lanes. */
  void start() {
    for (int i = 0; i < config.lanes(); i++) {
      Lane lane =
          new Lane(
              queue,
              new LaneConnection(dataSource, config),
              lookUp,
              recordWriter,
              new Lane.Limits(config.batchTransfersMax(), config.contentionPatience(), answers));
      lanes.add(lane);
      Thread.ofPlatform().daemon().name("partita-lane-" + config.schema() + "-" + i).start(lane);
    }
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
    // The caller's own callbacks run on a thread of their own, never on the one that answers others.
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
      queue.add(ticket);
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
    requireOpen();
    return new InTransaction(connection, lookUp, recordWriter);
  }

  List<Transfer> expireDue(int limit) {
    Page.requireLimit(limit);
    requireOpen();
    List<Ticket> tickets = new ArrayList<>();
    for (UUID holdId : dueHolds(limit)) {
      tickets.add(enqueue(List.of(TransferRequest.expiry(holdId)), null));
    }
    List<Transfer> expired = new ArrayList<>();
    for (Ticket ticket : tickets) {
      for (TransferResult result : await(ticket).transfers()) {
        if (result.status() == TransferStatus.CREATED) {
          expired.add(result.orThrow());
        }
      }
    }
    return expired;
  }

  /** Reads without locks: whoever finds a hold ended meanwhile records nothing. */
  private List<UUID> dueHolds(int limit) {
    TimeSource clock = config.timeSource();
    String select =
        "SELECT id FROM "
            + config.schema()
            + ".hold WHERE deadline <= "
            + (clock == null ? "clock_timestamp()" : "?::timestamptz")
            + " ORDER BY deadline, batch, batch_index LIMIT "
            + limit;
    List<UUID> due = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(select)) {
      if (clock != null) {
        statement.setString(1, clock.now().toString());
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          due.add(TransferRows.uuid(rows, 1));
        }
      }
    } catch (SQLException e) {
      throw SqlFailures.unavailable(e, "looking for due holds");
    }
    return due;
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
    queue.add(ticket);
    return ticket;
  }

  private Ticket newTicket(List<PostItem> items, @Nullable List<Restoration> restorations) {
    return new Ticket(items, restorations, System.nanoTime() + config.patience().toNanos());
  }

  /** Waits for the answer; a request that is still queued can be withdrawn, one in a batch cannot. */
  private PostResult await(Ticket ticket) {
    boolean interrupted = false;
    boolean patient = true;
    try {
      while (true) {
        try {
          if (!patient) {
            return ticket.answer().get();
          }
          long left = ticket.deadlineNanos() - System.nanoTime();
          return ticket.answer().get(Math.max(left, 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          if (ticket.withdraw()) {
            throw Lane.timedOut(false);
          }
          patient = false;
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

  /** Answers what a lane has taken up, refuses what waits. */
  @Override
  public void close() {
    queue.close();
    lanes.forEach(Lane::stop);
    try {
      for (Ticket ticket : queue.take(Integer.MAX_VALUE, 0)) {
        ticket.answer().completeExceptionally(WriteQueue.closed());
      }
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
    answers.close();
  }
}
