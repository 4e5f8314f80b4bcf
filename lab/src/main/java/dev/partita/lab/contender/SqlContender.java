package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What contenders that are plain SQL have in common: tables, a connection for each worker. */
abstract class SqlContender implements Contender {

  /** Its tables with their accounts, as one text; see {@link Arena#text}. */
  abstract String tables();

  /** How to read them; see {@link Arena#text}. */
  abstract Stored stored();

  /** What one connection does. The connection is in no transaction and not in auto-commit. */
  abstract Transaction on(Connection connection, Arena arena) throws SQLException;

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

  @Override
  public Stage stage(Arena arena) throws SQLException {
    arena.run(tables());
    return new SqlStage(arena);
  }

  private final class SqlStage implements Stage {
    private final Arena arena;

    SqlStage(Arena arena) {
      this.arena = arena;
    }

    @Override
    public Worker worker() throws SQLException {
      return new SqlWorker(arena);
    }

    @Override
    public Stored stored() {
      return SqlContender.this.stored().in(arena);
    }

    @Override
    public void close() {}
  }

  private final class SqlWorker implements Worker {
    private final Arena arena;
    private @Nullable Connection connection;
    private @Nullable Transaction transaction;

    SqlWorker(Arena arena) throws SQLException {
      this.arena = arena;
      connect();
    }

    private Transaction connect() throws SQLException {
      Connection opened = arena.connect();
      opened.setAutoCommit(false);
      Transaction made = on(opened, arena);
      opened.commit();
      connection = opened;
      transaction = made;
      return made;
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
        if (connection != null) {
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
        System.getLogger(SqlContender.class.getName())
            .log(System.Logger.Level.DEBUG, "the connection was broken already", e);
      }
    }
  }
}
