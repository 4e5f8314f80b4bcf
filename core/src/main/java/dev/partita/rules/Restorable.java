package dev.partita.rules;

import dev.partita.AccountChange;
import dev.partita.NewAccount;
import dev.partita.Transfer;
import java.time.Instant;
import java.util.List;

/**
 * An engine that can take back what was exported from another ledger, times and versions included.
 * Everything is decided again by the same rules and must come out as it was. Each call may be
 * repeated: what is there already, equal, is left alone.
 */
public interface Restorable {

  /**
   * Opens accounts as they were opened.
   *
   * @param accounts with the limits and metadata of the day they were opened
   * @throws dev.partita.MisuseException if one exists with other content
   */
  void restoreAccounts(List<OpenedAccount> accounts);

  /**
   * Records a change of an account again. Its account must be at the change's {@code afterVersion}
   * and at the change before it.
   *
   * @throws dev.partita.MisuseException if it is not, or the change does not follow
   */
  void restoreChange(AccountChange change);

  /**
   * Records transfers again in the order of a journal, groups whole.
   *
   * @throws dev.partita.MisuseException if one comes out different from what is given
   */
  void restoreTransfers(List<Transfer> records);

  /**
   * An account as it was opened.
   *
   * @param account its terms on that day
   * @param openedAt when
   */
  record OpenedAccount(NewAccount account, Instant openedAt) {}
}
