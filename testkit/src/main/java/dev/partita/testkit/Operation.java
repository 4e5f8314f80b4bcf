package dev.partita.testkit;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.ChangeRequest;
import dev.partita.NewAccount;
import dev.partita.PostRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** One step of a scenario or of a random workload. */
sealed interface Operation {

  /** Registers assets. */
  record Register(List<Asset> assets) implements Operation {}

  /** Opens accounts. */
  record Open(List<NewAccount> accounts) implements Operation {}

  /**
   * Changes an account.
   *
   * @param words the change as it is written in a scenario; a request does not tell its content
   */
  record Change(ChangeRequest request, String words) implements Operation {}

  /** Posts transfers. */
  record Post(PostRequest request) implements Operation {}

  /** Expires what is due. */
  record Expire(int limit) implements Operation {}

  /** Moves the clock. */
  record SetClock(Instant to) implements Operation {}

  /** Looks at an account; in scenarios only. */
  record LookAtAccount(AccountId account) implements Operation {}

  /** Looks at a hold; in scenarios only. */
  record LookAtHold(UUID hold) implements Operation {}

  /** Looks at a record; in scenarios only. */
  record LookAtTransfer(UUID transfer) implements Operation {}
}
