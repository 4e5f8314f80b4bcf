package dev.partita.cli.lab;

import dev.partita.LedgerException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.cli.connect.DatabaseFailures;
import dev.partita.lab.run.LeftBehindException;
import java.io.IOException;
import java.sql.SQLException;

/** What the end of a run means to who began it. */
public final class LabFailures {

  private LabFailures() {}

  /**
   * Answers it as an exception that says so, or throws it if it is an interruption.
   *
   * @param interrupted whether the process is being ended, so that everything fails because of it
   */
  public static RuntimeException of(Exception failure, boolean interrupted)
      throws InterruptedException {
    if (interrupted || failure instanceof InterruptedException) {
      throw new RunInterruptedException("interrupted; " + left(failure), failure);
    }
    return switch (failure) {
      case LedgerException e -> e;
      case SQLException e -> DatabaseFailures.working(e);
      case IOException e ->
          new UnavailableException(
              Reason.DATABASE_UNAVAILABLE,
              Outcome.NOT_POSTED,
              "what the run needs cannot be read or written: " + e,
              e);
      case RuntimeException e -> e;
      default -> new IllegalStateException(failure);
    };
  }

  private static String left(Exception failure) {
    Throwable left =
        failure.getSuppressed().length > 0
            ? failure.getSuppressed()[0]
            : failure instanceof LeftBehindException ? failure : null;
    return left == null
        ? "no result was written, and nothing is left behind"
        : "no result was written; not all could be taken away: " + left.getMessage();
  }
}
