package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeResult;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.OpenResult;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * One theme of the suite: a fresh ledger for every test, with assets EUR and USD and a clock that
 * stands at {@link ManualClock#START}. Whatever a test did, the ledger must verify afterwards.
 */
abstract class Conformance {

  static final AssetCode EUR = new AssetCode("EUR");
  static final AssetCode USD = new AssetCode("USD");
  static final Instant START = ManualClock.START;
  static final int PAGE_MAX = 10_000;

  final ManualClock clock = new ManualClock();
  Ledger ledger;

  abstract LedgerUnderTest engine();

  @BeforeEach
  void openLedger() {
    ledger = engine().open(clock);
    given("asset EUR 2", "asset USD 2");
  }

  @AfterEach
  void verifyAndDispose() {
    try {
      assertThat(ledger.verify(Progress.NONE).violations()).as("what verify finds").isEmpty();
      assertThat(ledger.trialBalance().balanced()).as("trial balance").isTrue();
    } catch (UnavailableException e) {
      assertThat(e.reason()).isEqualTo(UnavailableException.Reason.CLOSED);
    } finally {
      engine().dispose(ledger);
    }
  }

  /** Does what the lines say, in the language of {@link ScenarioText}; all must succeed. */
  final void given(String... lines) {
    for (String line : lines) {
      switch (ScenarioText.operation(line)) {
        case Operation.Register register -> ledger.register(register.assets());
        case Operation.Open open ->
            assertThat(ledger.open(open.accounts()))
                .extracting(OpenResult::status)
                .as(line)
                .containsOnly(OpenResult.Status.CREATED);
        case Operation.Change change ->
            assertThat(ledger.change(change.request()).status())
                .as(line)
                .isEqualTo(ChangeResult.Status.CHANGED);
        case Operation.Post post ->
            assertThat(ledger.post(post.request()).items().getFirst().isRecorded())
                .as(line)
                .isTrue();
        case Operation.Expire expire -> ledger.expireDue(expire.limit());
        case Operation.SetClock set -> clock.set(set.to());
        case Operation.LookAtAccount look -> throw new IllegalArgumentException(line);
        case Operation.LookAtHold look -> throw new IllegalArgumentException(line);
        case Operation.LookAtTransfer look -> throw new IllegalArgumentException(line);
      }
    }
  }

  /** Opens CREDIT-normal EUR accounts without limits. */
  final void givenAccounts(String... ids) {
    for (String id : ids) {
      given("open " + id + " EUR");
    }
  }

  static UUID id(String name) {
    return ScenarioText.id(name);
  }

  static AccountId account(String name) {
    return new AccountId(name);
  }

  static Amount amount(long minorUnits) {
    return Amount.ofMinor(minorUnits);
  }

  static Balance balance(long minorUnits) {
    return Balance.ofMinor(minorUnits);
  }

  static TransferRequest direct(String name, String debit, String credit, long minorUnits) {
    return TransferRequest.direct(
        id(name), EUR, account(debit), account(credit), amount(minorUnits));
  }

  static TransferRequest pending(String name, String debit, String credit, long minorUnits) {
    return TransferRequest.pending(
        id(name), EUR, account(debit), account(credit), amount(minorUnits));
  }

  static Instant after(long seconds) {
    return START.plus(Duration.ofSeconds(seconds));
  }

  final Balance balanceOf(String account) {
    return ledger.balance(account(account)).balance();
  }

  final Transfer transfer(String name) {
    return ledger.transfer(id(name)).orElseThrow();
  }

  static List<UUID> ids(List<Transfer> transfers) {
    return transfers.stream().map(Transfer::id).toList();
  }

  static List<UUID> ids(String... names) {
    List<UUID> ids = new ArrayList<>();
    for (String name : names) {
      ids.add(id(name));
    }
    return ids;
  }

  final List<TransferResult> post(TransferRequest... transfers) {
    return results(ledger.post(new PostRequest(List.of(transfers))));
  }

  static List<TransferResult> results(PostResult result) {
    return result.transfers();
  }

  /** Requires the call to be refused as one that cannot be meant; answers the refusal. */
  static MisuseException misuse(ThrowingCallable call) {
    MisuseException misuse = catchThrowableOfType(MisuseException.class, call);
    assertThat(misuse).as("the refusal of a call that cannot be meant").isNotNull();
    return misuse;
  }
}
