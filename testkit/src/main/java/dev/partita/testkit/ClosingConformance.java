package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.ChangeRequest;
import dev.partita.HoldQuery;
import dev.partita.NewAccount;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.StatementQuery;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assumptions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Closing a ledger, and opening it again. */
abstract class ClosingConformance extends Conformance {

  @Test
  void refusesEveryCallAfterItIsClosed() {
    givenAccounts("A", "B");
    given("direct T1 A→B 1");
    ledger.close();
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("register", () -> ledger.register(List.of(Asset.of("BTC", 8))));
    calls.put("open", () -> ledger.open(List.of(NewAccount.of("C", "EUR"))));
    calls.put("change", () -> ledger.change(ChangeRequest.of(account("A")).close()));
    calls.put("post", () -> ledger.post(PostRequest.of(direct("T2", "A", "B", 1))));
    calls.put("post of a repeat", () -> ledger.post(direct("T1", "A", "B", 1)));
    calls.put(
        "submit",
        () ->
            ledger
                .submit(PostRequest.of(direct("T2", "A", "B", 1)))
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join());
    calls.put("expireDue", () -> ledger.expireDue(1));
    calls.put("assets", () -> ledger.assets());
    calls.put("account", () -> ledger.account(account("A")));
    calls.put("accounts", () -> ledger.accounts(AccountQuery.all(1)));
    calls.put("changes", () -> ledger.changes(account("A"), null, 1));
    calls.put("balance", () -> ledger.balance(account("A")));
    calls.put("balanceAsRecorded", () -> ledger.balanceAsRecorded(account("A"), START));
    calls.put("balanceAsEffective", () -> ledger.balanceAsEffective(account("A"), START));
    calls.put("as known at", () -> ledger.balanceAsEffective(account("A"), START, START));
    calls.put("statement", () -> ledger.statement(StatementQuery.oldestFirst(account("A"), 1)));
    calls.put("transfer", () -> ledger.transfer(id("T1")));
    calls.put("transfers", () -> ledger.transfers(ids("T1")));
    calls.put("find", () -> ledger.find(TransferQuery.account(account("A"), 1)));
    calls.put("holds", () -> ledger.holds(HoldQuery.all(1)));
    calls.put("journal", () -> ledger.journal(null, 1));
    calls.put("trialBalance", () -> ledger.trialBalance());
    calls.put("verify", () -> ledger.verify(Progress.NONE));

    calls.forEach(
        (name, call) -> {
          Throwable thrown = catchThrowable(call);
          if (thrown instanceof CompletionException wrapped && wrapped.getCause() != null) {
            thrown = wrapped.getCause();
          }
          assertThat(thrown).as(name).isInstanceOf(UnavailableException.class);
          UnavailableException refusal = (UnavailableException) thrown;
          assertThat(refusal.reason()).as(name).isEqualTo(UnavailableException.Reason.CLOSED);
          assertThat(refusal.outcome()).as(name).isEqualTo(UnavailableException.Outcome.NOT_POSTED);
        });
  }

  @Test
  void mayBeClosedTwice() {
    ledger.close();
    assertThat(catchThrowable(() -> ledger.close())).isNull();
  }

  @Test
  void answersOrRefusesEverythingThatWasSubmittedBeforeItClosed() {
    givenAccounts("A", "B");
    List<CompletableFuture<PostResult>> submitted = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      submitted.add(
          ledger.submit(PostRequest.of(direct("T" + i, "A", "B", 1))).toCompletableFuture());
    }
    ledger.close();

    for (CompletableFuture<PostResult> future : submitted) {
      try {
        assertThat(future.orTimeout(60, TimeUnit.SECONDS).join().items().getFirst().isRecorded())
            .isTrue();
      } catch (CompletionException e) {
        assertThat(e)
            .cause()
            .asInstanceOf(type(UnavailableException.class))
            .extracting(UnavailableException::outcome)
            .isEqualTo(UnavailableException.Outcome.NOT_POSTED);
      }
    }
  }

  @Test
  void keepsEverythingAcrossARestart() {
    Assumptions.assumeThat(engine().durable()).as("durable").isTrue();
    Auditor auditor = new Auditor();
    Duel before = new Duel(ledger, clock, auditor);
    auditor.register(ledger.assets());
    List<String> lines =
        List.of(
            "open A EUR debit min -50 note k=v code 3",
            "open B EUR",
            "open U USD",
            "open V USD",
            "change A min -500 max 900 actor kim",
            "direct T1 A→B 50 ref r note k=v at +9s",
            "clock +7s",
            "pending H1 B→A 70 timeout 10 code 9",
            "pending H2 U→V 7 in USD",
            "post P1 H1 20 keep ref s",
            "reverse R1 T1 5",
            "voidGroup N G",
            "close V",
            "void V2 H2");
    lines.forEach(line -> before.step(ScenarioText.operation(line)));
    before.compareEverything();

    ledger.close();
    ledger = engine().reopen(ledger, clock);
    Duel after = new Duel(ledger, clock, auditor);
    after.compareEverything();
    for (String line :
        List.of(
            "direct T1 A→B 50 ref r note k=v at +9s",
            "post P1 H1 20 keep ref s",
            "post P1 H1 21 keep ref s",
            "change A min -500 max 900 actor kim",
            "clock +17s",
            "post P2 H1",
            "expire 10",
            "direct T2 A→B 1")) {
      after.step(ScenarioText.operation(line));
    }
    after.compareEverything();
    assertThat(ledger.post(TransferRequest.voiding(id("V3"), id("H1"))).status().isRecorded())
        .isFalse();
  }
}
