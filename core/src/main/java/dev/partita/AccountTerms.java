package dev.partita;

import java.util.Objects;

/**
 * What an account's owner may change.
 *
 * @param limits its limits
 * @param metadata its notes
 * @param closed whether it is closed
 */
public record AccountTerms(Limits limits, Metadata metadata, boolean closed) {

  /** Checks presence. */
  public AccountTerms {
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(metadata, "metadata");
  }
}
