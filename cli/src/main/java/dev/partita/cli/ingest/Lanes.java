package dev.partita.cli.ingest;

import dev.partita.AccountId;
import dev.partita.TransferRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Decides which rows may overtake each other. Rows in one lane are posted in file order; lanes go
 * on beside each other.
 */
interface Lanes {

  /** Answered instead of a lane: everything before this row has to be posted first; ask again. */
  int DRAIN_FIRST = -1;

  /** The lane of the next row, in 0 … lanes−1, or {@link #DRAIN_FIRST}. */
  int laneOf(TransferRequest request);

  /** One lane per account of a kind that is on exactly one side of every row. */
  static Lanes byAccount(int lanes, Function<TransferRequest, AccountId> account) {
    return request -> Math.floorMod(account.apply(request).hashCode(), lanes);
  }

  /**
   * Keeps the order of rows on accounts with limits, where it decides what is refused. A row
   * between two such accounts ties their lanes together; from the first such row on, all rows with
   * limits share one lane.
   */
  static Lanes byLimits(int lanes, Predicate<AccountId> limited) {
    return new ByLimits(lanes, limited);
  }

  /** See {@link #byLimits}. */
  final class ByLimits implements Lanes {
    private static final int KNOWN_MAX = 1_000_000;
    private static final int ROWS_IN_A_ROW = 1_000;

    private final int lanes;
    private final Predicate<AccountId> limited;
    private final Map<AccountId, Boolean> known = new HashMap<>();
    private boolean tied;
    private long unlimitedRows;

    private ByLimits(int lanes, Predicate<AccountId> limited) {
      this.lanes = lanes;
      this.limited = limited;
    }

    @Override
    public int laneOf(TransferRequest request) {
      AccountId debit = java.util.Objects.requireNonNull(request.debit());
      AccountId credit = java.util.Objects.requireNonNull(request.credit());
      boolean debitLimited = isLimited(debit);
      boolean creditLimited = isLimited(credit);
      if (!debitLimited && !creditLimited) {
        return (int) (unlimitedRows++ / ROWS_IN_A_ROW % lanes);
      }
      if (tied) {
        return 0;
      }
      int debitLane = Math.floorMod(debit.hashCode(), lanes);
      int creditLane = Math.floorMod(credit.hashCode(), lanes);
      if (debitLimited && creditLimited && debitLane != creditLane) {
        tied = true;
        return DRAIN_FIRST;
      }
      return debitLimited ? debitLane : creditLane;
    }

    private boolean isLimited(AccountId account) {
      Boolean answer = known.get(account);
      if (answer == null) {
        if (known.size() >= KNOWN_MAX) {
          known.clear();
        }
        answer = limited.test(account);
        known.put(account, answer);
      }
      return answer;
    }
  }
}
