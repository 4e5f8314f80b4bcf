package dev.partita.memory;

import static dev.partita.memory.LedgerFixture.ALICE;
import static dev.partita.memory.LedgerFixture.BANK;
import static dev.partita.memory.LedgerFixture.BOB;
import static dev.partita.memory.LedgerFixture.FEES;
import static dev.partita.memory.LedgerFixture.START;
import static dev.partita.memory.LedgerFixture.direct;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.HoldQuery;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.Progress;
import dev.partita.Transfer;
import dev.partita.UnknownAccountException;
import dev.partita.rules.Restorable.OpenedAccount;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryRestoreTest {

  private final InMemoryLedger original = new LedgerFixture().lively().ledger;
  private final List<Transfer> journal = original.journal(null, 10_000).items();
  private final List<AccountChange> changes = original.changes(BOB, null, 10).items();
  private final List<OpenedAccount> accounts =
      LedgerFixture.accounts().stream().map(a -> new OpenedAccount(a, START)).toList();

  // Long after: what is restored keeps its own times.
  private final InMemoryLedger restored =
      new InMemoryLedger(() -> Instant.parse("2030-01-01T00:00:00Z"));

  @BeforeEach
  void registerAssets() {
    restored.register(List.of(Asset.iso("EUR"), Asset.of("BTC", 8)));
  }

  /** The journal with Bob's changes where his version says. */
  private void restoreAll() {
    restored.restoreAccounts(accounts);
    int done = 0;
    for (AccountChange change : changes) {
      int end = done;
      while (end < journal.size() && isBefore(change, journal.get(end))) {
        end++;
      }
      restored.restoreTransfers(journal.subList(done, end));
      restored.restoreChange(change);
      done = end;
    }
    restored.restoreTransfers(journal.subList(done, journal.size()));
  }

  private static boolean isBefore(AccountChange change, Transfer record) {
    long version =
        record.debit().equals(BOB)
            ? record.debitAfter().version()
            : record.credit().equals(BOB) ? record.creditAfter().version() : 0;
    return version <= change.afterVersion();
  }

  @Test
  void takesBackWhatAnotherLedgerRecorded() {
    restoreAll();
    assertThat(restored.journal(null, 10_000)).isEqualTo(original.journal(null, 10_000));
    assertThat(restored.accounts(AccountQuery.all(100)))
        .isEqualTo(original.accounts(AccountQuery.all(100)));
    assertThat(restored.changes(BOB, null, 100)).isEqualTo(original.changes(BOB, null, 100));
    assertThat(restored.holds(HoldQuery.all(100))).isEqualTo(original.holds(HoldQuery.all(100)));
    assertThat(restored.verify(Progress.NONE).violations()).isEmpty();
  }

  @Test
  void leavesAloneWhatIsThereAlready() {
    restoreAll();
    restored.restoreAccounts(accounts);
    changes.forEach(restored::restoreChange);
    restored.restoreTransfers(journal);
    assertThat(restored.journal(null, 10_000)).isEqualTo(original.journal(null, 10_000));
    assertThat(restored.changes(BOB, null, 100)).isEqualTo(original.changes(BOB, null, 100));
  }

  @Test
  void refusesAccountsThatAreOthers() {
    restored.restoreAccounts(accounts.subList(0, 1));
    NewAccount bank = accounts.getFirst().account();
    requireRefused(new OpenedAccount(bank, START.plusSeconds(1)));
    requireRefused(new OpenedAccount(bank.code(9), START));
    requireRefused(new OpenedAccount(NewAccount.of("x", "NOPE"), START));
    requireRefused(new OpenedAccount(NewAccount.of("x", "EUR"), START.plusNanos(1)));
    assertThat(restored.account(ALICE)).isEmpty();
  }

  private void requireRefused(OpenedAccount account) {
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> restored.restoreAccounts(List.of(accounts.get(1), account)));
  }

  @Test
  void refusesChangesThatDoNotFollow() {
    restored.restoreAccounts(accounts);
    AccountChange first = changes.getFirst();
    assertThatExceptionOfType(MisuseException.class)
        .as("the account is not at the version yet")
        .isThrownBy(() -> restored.restoreChange(first));
    assertThatExceptionOfType(MisuseException.class)
        .as("the change before it is missing")
        .isThrownBy(() -> restored.restoreChange(changes.getLast()));
    assertThatExceptionOfType(UnknownAccountException.class)
        .isThrownBy(() -> restored.restoreChange(of(first, AccountId.of("nobody"), 0, START)));
    AccountChange fees = of(first, FEES, 0, START);
    assertThatExceptionOfType(MisuseException.class)
        .as("it replaces other terms")
        .isThrownBy(() -> restored.restoreChange(fees));
    AccountChange alice = of(first, ALICE, 0, START);
    restored.restoreChange(alice);
    restored.restoreChange(alice);
    assertThatExceptionOfType(MisuseException.class)
        .as("its number is another's")
        .isThrownBy(() -> restored.restoreChange(of(first, ALICE, 0, START.plusSeconds(1))));
    assertThat(restored.changes(ALICE, null, 10).items()).containsExactly(alice);
    assertThat(restored.verify(Progress.NONE).violations()).isEmpty();
  }

  private static AccountChange of(
      AccountChange change, AccountId account, long afterVersion, Instant at) {
    return new AccountChange(
        account, 1, change.before(), change.after(), afterVersion, at, change.actor());
  }

  @Test
  void refusesRecordsThatComeOutDifferentAndKeepsNoneOfThem() {
    restored.restoreAccounts(accounts);
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> restored.restoreTransfers(journal.subList(1, 3)));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> restored.restoreTransfers(List.of(journal.get(0), journal.get(2))));
    assertThat(restored.journal(null, 10).items()).isEmpty();
    restored.restoreTransfers(journal.subList(0, 1));
    restored.post(direct("new", BANK, ALICE, 1));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> restored.restoreTransfers(journal.subList(0, 2)));
    assertThat(restored.journal(null, 10).items()).hasSize(2);
  }
}
