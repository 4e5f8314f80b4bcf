package dev.partita;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An account as the ledger holds it at one moment.
 *
 * @param id its name
 * @param limits its limits
 * @param code 0–65535, the caller's chart of accounts
 * @param metadata the caller's notes
 * @param balance where it stands; names its asset, normal side and version too
 * @param openedAt when it was opened
 * @param closedAt when it was closed, null while open
 * @param lastChange number of its last change, 0 if it was never changed
 */
public record Account(
    AccountId id,
    Limits limits,
    int code,
    Metadata metadata,
    AccountBalance balance,
    Instant openedAt,
    @Nullable Instant closedAt,
    long lastChange) {

  /** Checks presence. */
  public Account {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(metadata, "metadata");
    Objects.requireNonNull(balance, "balance");
    Objects.requireNonNull(openedAt, "openedAt");
  }

  /** Its asset. */
  public AssetCode asset() {
    return balance.asset();
  }

  /** Its normal side. */
  public Side normal() {
    return balance.normal();
  }

  /** Whether it refuses new transfers. */
  public boolean closed() {
    return closedAt != null;
  }

  /** What may still be taken from it: the room of the side that lowers its balance. */
  public Amount available() {
    return balance.room(normal().opposite(), limits);
  }
}
