package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Threads;
import dev.partita.lab.load.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A worker with a connection of its own, made anew after it broke. */
final class SqlWorker implements Worker {

  /** The work of one connection. For one thread. */
  interface Transaction {
    /**
     * Carries out an operation up to its commit, calling {@code committing} right before the
     * statement that commits is sent.
     *
     * @throws SQLException whose SQLSTATE decides the outcome
     */
    Answer run(Operation operation, Runnable committing) throws SQLException;
  }

  /** Prepares what a connection is for; it is in no transaction and not in auto-commit. */
  interface Preparation {
    /** The work of this connection. */
    Transaction on(Connection connection, Arena arena) throws SQLException;
  }

  private final Arena arena;
  private final Preparation preparation;
  private @Nullable Connection connection;
  private @Nullable Transaction transaction;

  SqlWorker(Arena arena, Preparation preparation) throws SQLException {
    this.arena = arena;
    this.preparation = preparation;
    connect();
  }

  private Transaction connect() throws SQLException {
    Connection opened = arena.connect();
    try {
      opened.setAutoCommit(false);
      Transaction made = preparation.on(opened, arena);
      opened.commit();
      connection = opened;
      transaction = made;
      return made;
    } catch (SQLException e) {
      opened.close();
      throw e;
    }
  }

  @Override
  public Threads threads() {
    return Threads.PLATFORM;
  }

  @Override
  public Answer perform(Operation operation) {
    AtomicBoolean committing = new AtomicBoolean();
    try {
      Transaction ready = transaction == null ? connect() : transaction;
      return ready.run(operation, () -> committing.set(true));
    } catch (SQLException e) {
      giveUp(e);
      return Answer.failed(SqlOutcomes.of(e, committing.get()));
    }
  }

  /** The next operation begins afresh: what is left of this one must not be in it. */
  private void giveUp(SQLException cause) {
    try {
      if (connection != null && !connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      cause.addSuppressed(e);
      close();
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    transaction = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (SQLException e) {
      System.getLogger(SqlWorker.class.getName())
          .log(System.Logger.Level.DEBUG, "the connection was broken already", e);
    }
  }
}
