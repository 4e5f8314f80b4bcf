package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Transfers are collected and written together every so often: one turn of the hot row for each
 * interval, and every payment waits for the clock.
 */
public final class TimerBatches implements Contender {

  private final Duration interval;

  /** With a batch each interval. */
  public TimerBatches(Duration interval) {
    this.interval = interval;
  }

  @Override
  public Card card() {
    return new Card(
        "timer-batches",
        "what arrived in " + interval.toMillis() + " ms is written as one batch",
        "every transfer waits for the clock; no limits, no ids that are unique, no holds",
        List.of("BEGIN", BatchStatements.UPDATE, BatchStatements.INSERT, "COMMIT"),
        3,
        "READ COMMITTED",
        "row counts",
        Integer.MAX_VALUE);
  }

  @Override
  public Stage stage(Arena arena) throws SQLException {
    arena.run(Tables.ACCOUNT_AND_ENTRY);
    TimerStage stage = new TimerStage(arena);
    stage.thread.start();
    return stage;
  }

  private record Waiting(Operation operation, CompletableFuture<Answer> answer) {}

  private final class TimerStage implements Stage, Runnable {
    private final Arena arena;
    private final Connection connection;
    private final BatchStatements statements;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("timer-batches").unstarted(this);
    private List<Waiting> waiting = new ArrayList<>();

    TimerStage(Arena arena) throws SQLException {
      this.arena = arena;
      this.connection = arena.connect();
      connection.setAutoCommit(false);
      this.statements = new BatchStatements(connection, arena);
    }

    @Override
    public void run() {
      try {
        while (!closed.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
          write(take());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      take().forEach(each -> each.answer().complete(Answer.failed(Outcome.TRANSIENT)));
    }

    private synchronized List<Waiting> take() {
      List<Waiting> taken = waiting;
      waiting = new ArrayList<>();
      return taken;
    }

    private synchronized CompletableFuture<Answer> add(Operation operation) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      waiting.add(new Waiting(operation, answer));
      return answer;
    }

    private void write(List<Waiting> batch) {
      if (batch.isEmpty()) {
        return;
      }
      boolean committing = false;
      try {
        statements.write(
            batch.stream().flatMap(each -> each.operation().movements().stream()).toList());
        committing = true;
        connection.commit();
        batch.forEach(each -> each.answer().complete(Answer.committed(each.operation().size())));
      } catch (SQLException e) {
        Answer answer = Answer.failed(SqlOutcomes.of(e, committing));
        batch.forEach(each -> each.answer().complete(answer));
        rollback(e);
      }
    }

    private void rollback(SQLException cause) {
      try {
        connection.rollback();
      } catch (SQLException e) {
        cause.addSuppressed(e);
      }
    }

    @Override
    public Worker worker() {
      return new Worker() {
        @Override
        public Answer perform(Operation operation) {
          return add(operation).join();
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Stored stored() {
      return Tables.STORED.in(arena);
    }

    @Override
    public void close() throws SQLException {
      closed.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      connection.close();
    }
  }
}
