package dev.partita.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Up to which batch everything is recorded that ever will be.
 *
 * <p>A writer takes its batch number from a sequence before it commits, and commits finish out of
 * order. But taking a number also takes a lock on the sequence that the transaction keeps until its
 * end. So: note the last number P, then, later, who holds that lock. Once none of them does, every
 * transaction that has a number up to P has ended, and a later snapshot shows what became of it. (A
 * comparison of transaction ids with a snapshot's xmin would do as well, but any unrelated long
 * transaction in the server would hold that up, and it uses up a transaction id for every
 * question.)
 *
 * <p>The wait for the writers found is short. If they take longer, the position is the last one
 * that was found final, and the next call goes on waiting for the same writers. Safe for use by
 * several threads.
 *
 * <p>A standby does not see the locks of its primary, and says so.
 */
final class FinalPosition {

  private static final long POLL_NANOS = Duration.ofMillis(1).toNanos();
  private static final long POLL_MAX_NANOS = Duration.ofMillis(20).toNanos();

  private final String schema;
  private long settled;
  private @Nullable Candidate candidate;

  FinalPosition(String schema) {
    this.schema = schema;
  }

  /** A number taken, and the transactions that may still have one up to it. */
  private record Candidate(long position, Set<String> writers) {}

  /** What was seen at one time: first the last number taken, then who may still have one. */
  private record Sight(long position, Set<String> writers) {}

  /**
   * What is final.
   *
   * @param settled the last batch up to which nothing can be added any more
   * @param taken the last batch number taken
   */
  record Reading(long settled, long taken) {}

  /**
   * The last batch up to which nothing can be added any more.
   *
   * @param connection in auto-commit mode, so that each statement has a snapshot of its own
   * @param patience how long to wait for running writers
   */
  Reading await(Connection connection, Duration patience) throws SQLException {
    long deadline = System.nanoTime() + patience.toNanos();
    long pause = POLL_NANOS;
    Sight sight = look(connection);
    long first = sight.position();
    while (true) {
      long position = advance(sight);
      if (position >= first || System.nanoTime() - deadline >= 0) {
        return new Reading(position, sight.position());
      }
      sleep(Math.min(pause, deadline - System.nanoTime()));
      pause = Math.min(pause * 2, POLL_MAX_NANOS);
      sight = look(connection);
    }
  }

  private synchronized long advance(Sight sight) {
    if (settled > sight.position()) {
      // The database was put back to an earlier state.
      settled = 0;
      candidate = null;
    }
    if (sight.writers().isEmpty()) {
      settled = sight.position();
      candidate = null;
      return settled;
    }
    Candidate waiting = candidate;
    if (waiting != null) {
      Set<String> left = new HashSet<>(waiting.writers());
      left.retainAll(sight.writers());
      if (left.isEmpty()) {
        settled = Math.max(settled, waiting.position());
        waiting = null;
      } else {
        waiting = new Candidate(waiting.position(), left);
      }
    }
    candidate = waiting == null ? new Candidate(sight.position(), sight.writers()) : waiting;
    return settled;
  }

  private Sight look(Connection connection) throws SQLException {
    SqlQuery number =
        new SqlQuery()
            .add("SELECT CASE WHEN is_called THEN last_value ELSE 0 END,")
            .add(" pg_catalog.pg_is_in_recovery() FROM " + schema + ".batch");
    // nextval locks the sequence; a prepared transaction shows up as -1/… and keeps its lock.
    SqlQuery holders =
        new SqlQuery()
            .add(
                """
                SELECT l.virtualtransaction FROM pg_catalog.pg_locks l
                WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted
                  AND l.relation = ?::regclass
                  AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d
                                    WHERE d.datname = pg_catalog.current_database())
                """,
                schema + ".batch");
    return ReadSession.askInOrder(
        connection,
        number,
        holders,
        (first, second) -> {
          first.next();
          if (first.getBoolean(2)) {
            throw new SQLException(
                "this server is a standby, which does not see who is still writing, so nothing is"
                    + " known to be final; ask the primary",
                "25006");
          }
          Set<String> writers = new HashSet<>();
          while (second.next()) {
            writers.add(second.getString(1));
          }
          return new Sight(first.getLong(1), writers);
        });
  }

  private static void sleep(long nanos) {
    try {
      Thread.sleep(Duration.ofNanos(Math.max(nanos, 0)));
    } catch (InterruptedException e) {
      // The caller's affair; the answer only says what is final by now.
      Thread.currentThread().interrupt();
    }
  }
}
