package dev.partita.json;

import dev.partita.Account;
import dev.partita.UnavailableException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the HTTP API answers instead of a result, as a client reads it: a problem as RFC 9457
 * defines it, with Partita's own fields.
 *
 * @param status the HTTP status
 * @param code what went wrong, as a stable word to match on
 * @param detail what went wrong, as a sentence for a developer
 * @param pointer JSON pointer of the value at fault in the request's body, or null
 * @param parameter name of the query parameter at fault, or null
 * @param requestId names the request in the server's log, or null
 * @param reason why the ledger had no answer, or null
 * @param outcome whether anything may have been recorded, or null if that is not in question
 * @param account the account that could not be changed, as it stands, or null
 */
public record Problem(
    int status,
    String code,
    String detail,
    @Nullable String pointer,
    @Nullable String parameter,
    @Nullable String requestId,
    UnavailableException.@Nullable Reason reason,
    UnavailableException.@Nullable Outcome outcome,
    @Nullable Account account) {

  /** Checks presence. */
  public Problem {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(detail, "detail");
  }

  /** A problem of which nothing further is known. */
  public static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail, null, null, null, null, null, null);
  }
}
