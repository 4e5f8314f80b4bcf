package dev.partita.lab.contender;

import dev.partita.lab.load.Outcome;
import java.sql.SQLException;

/** What a database error means for the operation it ended. */
final class SqlOutcomes {

  private SqlOutcomes() {}

  /**
   * The outcome.
   *
   * @param committing whether the statement that commits was sent: then a lost connection says
   *     nothing
   */
  static Outcome of(SQLException e, boolean committing) {
    String state = String.valueOf(e.getSQLState());
    return switch (state) {
      case "40001", "40P01", "55P03" -> Outcome.CONFLICT;
      case "57014" -> Outcome.TIMEOUT;
      case "40003", "08007" -> Outcome.INDETERMINATE;
      case "57P01", "57P02", "57P03", "53300", "08001", "08004" ->
          committing ? Outcome.INDETERMINATE : Outcome.TRANSIENT;
      default -> {
        if (state.startsWith("08")) {
          yield committing ? Outcome.INDETERMINATE : Outcome.TRANSIENT;
        }
        // A check of ours: the balance would be below what it may be.
        yield state.equals("23514") ? Outcome.REJECTED : Outcome.ERROR;
      }
    };
  }
}
