package dev.partita.server.http;

import dev.partita.server.auth.ApiKey;
import dev.partita.server.auth.FailureLimit;
import dev.partita.server.auth.KeyRing;
import dev.partita.server.auth.Scope;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request to a route if it presents a key that may (RFC 6750). Where no keys are needed
 * everybody may, and nothing that is presented is looked at. Safe for use by any number of threads.
 */
public final class Authentication {

  private static final Pattern BEARER = Pattern.compile("[Bb][Ee][Aa][Rr][Ee][Rr] +([!-~]+)");
  private static final String CHALLENGE = "Bearer realm=\"partita\"";

  private final @Nullable KeyRing keys;
  private final FailureLimit failures = new FailureLimit();

  private Authentication(@Nullable KeyRing keys) {
    this.keys = keys;
  }

  /** Everybody may do everything. */
  public static Authentication none() {
    return new Authentication(null);
  }

  /** Every route that is not open needs one of these keys. */
  public static Authentication by(KeyRing keys) {
    return new Authentication(keys);
  }

  /**
   * Lets a request to a route, or not.
   *
   * @return the key's name; null if none is needed
   * @throws ProblemException 401 without a key that is in use, 403 if it does not allow this, 429
   *     if there were too many failures lately
   */
  @Nullable String admit(Request request, Route route) {
    Scope scope = route.access().scope();
    if (keys == null || scope == null) {
      return null;
    }
    List<String> presented = request.headers().apply("Authorization");
    if (presented.isEmpty()) {
      throw refused(
          "api_key_missing",
          "this needs an API key; send it as Authorization: Bearer KEY",
          CHALLENGE);
    }
    ApiKey key =
        found(keys, presented)
            .orElseThrow(
                () ->
                    refused(
                        "api_key_invalid",
                        "this is no API key that is in use: it is mistyped, revoked or another"
                            + " ledger's. Send one, once, as Authorization: Bearer KEY",
                        CHALLENGE + ", error=\"invalid_token\""));
    if (!key.allows(scope)) {
      throw new ProblemException(
          Problem.of(
                  403,
                  "scope_missing",
                  "the API key "
                      + key.name()
                      + " does not allow this: it needs the scope "
                      + scope.text()
                      + "; have a key created that has it")
              .member("scope", scope.text())
              .header(
                  "WWW-Authenticate",
                  CHALLENGE + ", error=\"insufficient_scope\", scope=\"" + scope.text() + "\""));
    }
    return key.name();
  }

  private static Optional<ApiKey> found(KeyRing keys, List<String> presented) {
    if (presented.size() > 1) {
      return Optional.empty();
    }
    Matcher bearer = BEARER.matcher(presented.getFirst().strip());
    return bearer.matches() ? keys.find(bearer.group(1)) : Optional.empty();
  }

  private ProblemException refused(String code, String detail, String challenge) {
    if (!failures.admits()) {
      return new ProblemException(
          Problem.of(
                  429,
                  "too_many_failures",
                  "too many requests lately came without a right API key; nothing of this one was"
                      + " looked at. Put the key right before repeating it")
              .header("Retry-After", "1"));
    }
    return new ProblemException(
        Problem.of(401, code, detail).header("WWW-Authenticate", challenge));
  }
}
