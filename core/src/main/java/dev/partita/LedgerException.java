package dev.partita;

import org.jspecify.annotations.Nullable;

/**
 * What a ledger throws. A refused transfer is never an exception but a {@link TransferStatus}; an
 * exception is misuse (the caller's fault), unavailability (try again) or corruption (stop and call
 * someone).
 */
public abstract sealed class LedgerException extends RuntimeException
    permits MisuseException, UnavailableException, CorruptionException {

  private static final long serialVersionUID = 1;

  LedgerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
