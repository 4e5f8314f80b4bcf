package dev.partita.server.http;

import dev.partita.CorruptionException;
import dev.partita.HistoryChangedException;
import dev.partita.LedgerException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.UnknownAccountException;
import dev.partita.json.JsonProblemException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which problem a failure is answered with. Sentences about what a client did are passed on; what a
 * failure says about the inside of the ledger is not.
 */
public final class Failures {

  private static final Pattern INDEX = Pattern.compile("\\[([0-9]+)]");

  private Failures() {}

  /**
   * The answer to a failure.
   *
   * @param parameters the route's parameters: a misuse of one of these names is a parameter's,
   *     another one a value's in the body
   */
  public static Problem problem(Throwable failure, Set<String> parameters) {
    return switch (failure) {
      case ProblemException e -> e.problem();
      case JsonProblemException e -> of(e);
      case LedgerException e -> of(e, parameters);
      default ->
          Problem.of(
              500,
              "internal",
              "this server failed in a way it does not know; its log says more under the request's"
                  + " id. Nothing is known about the outcome: repeat with the same ids");
    };
  }

  private static Problem of(LedgerException failure, Set<String> parameters) {
    return switch (failure) {
      case UnknownAccountException e ->
          Problem.of(404, "account_not_found", e.detail()).member("account", e.account().value());
      case HistoryChangedException e ->
          Problem.of(410, "history_changed", "cursor: " + e.detail()).parameter("cursor");
      case MisuseException e -> misuse(e, parameters);
      case UnavailableException e -> of(e);
      case CorruptionException _ ->
          Problem.of(
              500,
              "corruption",
              "stored data contradicts itself; nothing further is recorded from it. Run verify and"
                  + " find the cause before going on; the server's log says more");
    };
  }

  private static Problem of(JsonProblemException failure) {
    boolean large = failure.code().equals(JsonProblemException.TOO_LARGE);
    return Problem.of(large ? 413 : 400, failure.code(), String.valueOf(failure.getMessage()))
        .pointer(failure.pointer());
  }

  private static Problem of(UnavailableException failure) {
    UnavailableException.Reason reason = failure.reason();
    String sentence = why(reason) + "; " + whatToDo(failure.outcome());
    if (reason == UnavailableException.Reason.QUEUE_FULL) {
      return Problem.of(429, "queue_full", sentence)
          .unavailable(reason, failure.outcome())
          .header("Retry-After", "1");
    }
    return Problem.of(503, "unavailable", sentence).unavailable(reason, failure.outcome());
  }

  private static Problem misuse(MisuseException failure, Set<String> parameters) {
    String sentence = failure.detail();
    String field = failure.field();
    if (field == null) {
      return Problem.of(400, "invalid_value", sentence);
    }
    if (parameters.contains(field)) {
      return Problem.of(400, "invalid_parameter", field + ": " + sentence).parameter(field);
    }
    String pointer = pointer(failure, field);
    return Problem.of(400, "invalid_value", pointer + ": " + sentence).pointer(pointer);
  }

  private static String pointer(MisuseException failure, String field) {
    String path = "/" + INDEX.matcher(field.replace('.', '/')).replaceAll("/$1");
    return failure.item() == null ? path : "/items/" + failure.item() + path;
  }

  private static String why(UnavailableException.Reason reason) {
    return switch (reason) {
      case QUEUE_FULL -> "the ledger's queue is full";
      case CONTENTION -> "the accounts stayed locked by other transactions";
      case TIMED_OUT -> "the ledger did not finish the request in time";
      case WITHDRAWN -> "the request was withdrawn before it was taken up";
      case CLOSED -> "the ledger is closed or closing";
      case DATABASE_UNAVAILABLE -> "the database cannot be reached, or cannot write";
      case DATABASE_ERROR -> "the database refused the request";
      case SCHEMA_TOO_NEW ->
          "the database was migrated to a version that this server does not understand; upgrade it";
      case CONFLICT -> "another transaction got in between";
    };
  }

  private static String whatToDo(UnavailableException.Outcome outcome) {
    return switch (outcome) {
      case NOT_POSTED -> "nothing of it was recorded. Repeat it with the same ids, a little later";
      case UNKNOWN -> "it may have been recorded. Repeat it with the same ids to learn";
    };
  }
}
