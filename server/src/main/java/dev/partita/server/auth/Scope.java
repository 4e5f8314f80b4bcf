package dev.partita.server.auth;

import dev.partita.MisuseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a key allows. None includes another: a key that posts and reads has both. */
public enum Scope {
  /** To ask: balances, statements, transfers, reports. */
  READ,
  /** To post transfers, resolve holds and expire those that are due. */
  POST,
  /** To register assets, open and change accounts, and begin verifications. */
  ADMIN;

  /** Its name as people and the API write it, such as {@code read}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The scope of this name.
   *
   * @throws MisuseException naming those that there are
   */
  public static Scope of(String text) {
    for (Scope scope : values()) {
      if (scope.text().equals(text)) {
        return scope;
      }
    }
    throw new MisuseException(
        "scope",
        "there is no such scope; known are "
            + Arrays.stream(values()).map(Scope::text).collect(Collectors.joining(", ")));
  }
}
