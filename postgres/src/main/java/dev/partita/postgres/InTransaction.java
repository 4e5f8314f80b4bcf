package dev.partita.postgres;

import dev.partita.ConflictException;
import dev.partita.GroupRequest;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Posts inside the caller's own database transaction: the transfers are recorded if and when the
 * caller commits, together with whatever else the transaction wrote. Until then the results are
 * provisional, and the accounts stay locked: post late and commit soon.
 *
 * <p>Two round trips. A refused transfer or a used id leaves the transaction as it was, so the
 * caller may go on and commit. READ COMMITTED is the isolation it takes: under REPEATABLE READ and
 * SERIALIZABLE the lock on an account would be held, but its state read from before it. There the
 * refusal waits for nothing, locks nothing and leaves the transaction usable.
 *
 * <p>Transactions that post once, and lanes, do not deadlock with one another. One that posts twice
 * may deadlock with any of them; lanes then decide again, and a caller's transaction, whichever of
 * the two the server chooses, gets a {@link ConflictException}.
 *
 * <p>After any failed statement roll back: PostgreSQL turns the COMMIT of a failed transaction into
 * a ROLLBACK, and its driver does not report that.
 *
 * <p>As safe for use by several threads as the connection is, which is: not.
 */
public final class InTransaction {

  private static final int ATTEMPTS_MAX = 10;
  private static final String UNIQUE_VIOLATION = "23505";

  private final Connection connection;
  private final LookUp lookUp;
  private final RecordWriter writer;

  InTransaction(Connection connection, LookUp lookUp, RecordWriter writer) {
    this.connection = connection;
    this.lookUp = lookUp;
    this.writer = writer;
  }

  /** Posts one transfer. */
  public TransferResult post(TransferRequest transfer) {
    return post(PostRequest.of(transfer)).items().getFirst().transfers().getFirst();
  }

  /** Posts one group. */
  public PostResult.Item post(GroupRequest group) {
    return post(PostRequest.of(group)).items().getFirst();
  }

  /**
   * Posts a request.
   *
   * @throws MisuseException if the connection is in auto-commit or read-only, or its transaction
   *     has failed already or is not READ COMMITTED; nothing was recorded
   * @throws ConflictException if another transaction got in between; roll back and run the whole
   *     transaction again
   * @throws UnavailableException if the database failed; roll back
   */
  public PostResult post(PostRequest request) {
    if (request.items().isEmpty()) {
      return new PostResult(List.of());
    }
    try {
      if (connection.getAutoCommit()) {
        throw new MisuseException(
            "connection", "is in auto-commit; call setAutoCommit(false) to begin a transaction");
      }
      return post(request.items());
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private PostResult post(List<PostItem> items) throws SQLException {
    Ticket ticket = new Ticket(items, null, Long.MAX_VALUE);
    Needs needs = new Needs();
    needs.addAll(items);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      FoundBooks found = lookUp.run(connection, needs, LookUp.Mode.CALLERS);
      if (!found.isReadCommitted()) {
        throw new MisuseException(
            "connection",
            "its transaction has one snapshot for all statements, which may be older than the"
                + " accounts' state; post under READ COMMITTED");
      }
      Decision decision = Decision.of(List.of(ticket), found);
      if (!decision.failed().isEmpty()) {
        throw decision.failed().getFirst().failure();
      }
      boolean deferred = decision.answered().isEmpty();
      if (deferred && found.locksAny()) {
        // More has to be locked than was known. Locked now it would be out of order, and could
        // close a circle with a transaction that posts once like this one.
        throw new ConflictException(
            "what the request needs was recorded while it waited for accounts; roll back and run"
                + " again",
            null);
      }
      if (!deferred && (decision.draft().size() == 0 || write(decision))) {
        return decision.answered().getFirst().result();
      }
    }
    throw new ConflictException(
        "other transactions were faster " + ATTEMPTS_MAX + " times; roll back and run again", null);
  }

  /** Writes; false if another transaction recorded one of the ids meanwhile. */
  private boolean write(Decision decision) throws SQLException {
    try {
      writer.writeInside(connection, decision);
      return true;
    } catch (SQLException e) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("ROLLBACK TO SAVEPOINT partita; RELEASE SAVEPOINT partita");
      } catch (SQLException suppressed) {
        e.addSuppressed(suppressed);
        throw e;
      }
      if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private static RuntimeException failure(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return switch (state) {
      case "25P02" ->
          new MisuseException(
              "connection", "its transaction has failed already; roll back before posting");
      case "25006" ->
          new MisuseException("connection", "its transaction is read-only, or the server is");
      case "40001", "40P01", "55P03" ->
          new ConflictException(
              "another transaction was in the way; roll back and run again: "
                  + SqlFailures.describe(e),
              e);
      default -> SqlFailures.unavailable(e, "posting in the caller's transaction");
    };
  }
}
