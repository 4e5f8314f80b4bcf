package dev.partita;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one transfer.
 *
 * @param id the transfer; for a group that has no holds to resolve, the new group
 * @param status the answer
 * @param transfer the stored record if CREATED or EXISTS, otherwise null
 * @param field the first field that differs if EXISTS_DIFFERENT, otherwise null
 * @param account the account that a refusal speaks of, otherwise null
 */
public record TransferResult(
    UUID id,
    TransferStatus status,
    @Nullable Transfer transfer,
    @Nullable TransferField field,
    @Nullable AccountId account) {

  /** Checks that the record is there exactly when the status says so. */
  public TransferResult {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(status, "status");
    if (status.isRecorded() != (transfer != null)) {
      throw new MisuseException("transfer", "stands beside CREATED and EXISTS, and only there");
    }
  }

  /** Recorded now. */
  public static TransferResult created(Transfer transfer) {
    return new TransferResult(transfer.id(), TransferStatus.CREATED, transfer, null, null);
  }

  /** Recorded before. */
  public static TransferResult exists(Transfer transfer) {
    return new TransferResult(transfer.id(), TransferStatus.EXISTS, transfer, null, null);
  }

  /** The id is another's. */
  public static TransferResult existsDifferent(UUID id, TransferField field) {
    return new TransferResult(id, TransferStatus.EXISTS_DIFFERENT, null, field, null);
  }

  /** Refused. */
  public static TransferResult refused(
      UUID id, TransferStatus status, @Nullable AccountId account) {
    return new TransferResult(id, status, null, null, account);
  }

  /**
   * The stored record.
   *
   * @throws IllegalStateException if the transfer was refused; the message says how
   */
  public Transfer orThrow() {
    if (transfer == null) {
      throw new IllegalStateException(
          "transfer "
              + id
              + " was refused: "
              + status
              + (account == null ? "" : " on account " + account)
              + (field == null ? "" : " in field " + field.text()));
    }
    return transfer;
  }
}
