package dev.partita;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A hold that is still open.
 *
 * @param transfer the PENDING record
 * @param remaining what is still held of it
 */
public record Hold(Transfer transfer, Amount remaining) {

  /** Checks presence. */
  public Hold {
    Objects.requireNonNull(transfer, "transfer");
    Objects.requireNonNull(remaining, "remaining");
  }

  /** The hold's id. */
  public UUID id() {
    return transfer.id();
  }

  /** When it expires, or null for never. */
  public @Nullable Instant deadline() {
    return transfer.deadline();
  }
}
