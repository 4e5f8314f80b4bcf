package dev.partita.rules;

import dev.partita.AccountBalance;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Limits;
import dev.partita.Side;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the rules look at of an account.
 *
 * @param balance where it stands
 * @param limits its limits
 * @param closed whether it refuses new transfers
 * @param openedAt when it was opened
 * @param lastRecordedAt when its last record was made, null if it has none
 */
public record AccountState(
    AccountBalance balance,
    Limits limits,
    boolean closed,
    Instant openedAt,
    @Nullable Instant lastRecordedAt) {

  /** Its asset. */
  public AssetCode asset() {
    return balance.asset();
  }

  /** How much may still move on a side. */
  public Amount room(Side side) {
    return balance.room(side, limits);
  }

  /** The earliest recordedAt that its next record may have. */
  Instant notBefore() {
    return lastRecordedAt == null || lastRecordedAt.isBefore(openedAt) ? openedAt : lastRecordedAt;
  }

  AccountState after(AccountBalance newBalance, Instant recordedAt) {
    return new AccountState(newBalance, limits, closed, openedAt, recordedAt);
  }
}
