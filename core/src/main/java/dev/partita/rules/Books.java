package dev.partita.rules;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Transfer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded, as far as a decision needs it. An engine shows the rules its stored data
 * through this; whatever it shows must not change under other writers until the decision is
 * recorded.
 */
public interface Books {

  /** Whether the asset is registered. */
  boolean hasAsset(AssetCode code);

  /** The account, or null if there is none. */
  @Nullable AccountState account(AccountId id);

  /** The record, or null if the id is unused. */
  @Nullable Transfer transfer(UUID id);

  /** Where the hold stands; asked for PENDING records only. */
  HoldState hold(UUID pendingId);

  /** How much of a record was reversed; asked for DIRECT and POST records only. */
  Amount reversed(UUID originalId);

  /** The members of a group in their order; empty if the group id is unused. */
  List<Transfer> group(UUID groupId);
}
