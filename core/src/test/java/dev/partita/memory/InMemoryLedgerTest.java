package dev.partita.memory;

import static dev.partita.memory.LedgerFixture.ALICE;
import static dev.partita.memory.LedgerFixture.BANK;
import static dev.partita.memory.LedgerFixture.BOB;
import static dev.partita.memory.LedgerFixture.FEES;
import static dev.partita.memory.LedgerFixture.START;
import static dev.partita.memory.LedgerFixture.cents;
import static dev.partita.memory.LedgerFixture.direct;
import static dev.partita.memory.LedgerFixture.id;
import static dev.partita.memory.LedgerFixture.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.GroupRequest;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.RegisterResult;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnknownAccountException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class InMemoryLedgerTest {

  private final LedgerFixture fixture = new LedgerFixture();
  private final InMemoryLedger ledger = fixture.ledger;

  @Test
  void movesMoneyOnceHoweverOftenItIsAsked() {
    TransferRequest deposit = direct("deposit", BANK, ALICE, 10_000);
    TransferResult created = ledger.post(deposit);
    TransferResult repeated = ledger.post(deposit);

    assertThat(created.status()).isEqualTo(TransferStatus.CREATED);
    assertThat(repeated.status()).isEqualTo(TransferStatus.EXISTS);
    assertThat(repeated.transfer()).isEqualTo(created.transfer());
    assertThat(ledger.balance(ALICE).balance()).isEqualTo(Balance.ofMinor(10_000));
    assertThat(ledger.balance(BANK).balance()).isEqualTo(Balance.ofMinor(10_000));
    assertThat(fixture.post(direct("deposit", BANK, ALICE, 9_999)))
        .isEqualTo(TransferStatus.EXISTS_DIFFERENT);
    assertThat(fixture.post(direct("spend", ALICE, BOB, 10_001)))
        .isEqualTo(TransferStatus.INSUFFICIENT_FUNDS);
    assertThat(fixture.post(direct("spend", ALICE, BOB, 10_000))).isEqualTo(TransferStatus.CREATED);
  }

  @Test
  void decidesItemsInOrderAndGroupsWhole() {
    PostResult result =
        ledger.post(
            new PostRequest(
                List.of(
                    direct("early", ALICE, BOB, 100),
                    direct("deposit", BANK, ALICE, 100),
                    new GroupRequest(
                        id("group"),
                        List.of(
                            direct("a", ALICE, BOB, 60),
                            direct("b", ALICE, BOB, 60),
                            direct("c", BANK, BOB, 1))),
                    direct("early", ALICE, BOB, 100))));
    assertThat(result.transfers())
        .extracting(TransferResult::status)
        .containsExactly(
            TransferStatus.INSUFFICIENT_FUNDS,
            TransferStatus.CREATED,
            TransferStatus.GROUP_FAILED,
            TransferStatus.INSUFFICIENT_FUNDS,
            TransferStatus.GROUP_FAILED,
            TransferStatus.CREATED);
    assertThat(ledger.journal(null, 10).items())
        .extracting(Transfer::id)
        .containsExactly(id("deposit"), id("early"));
  }

  @Test
  void expiresHoldsInOrderOfDeadlineThenOfRecording() {
    ledger.post(direct("deposit", BANK, ALICE, 10_000));
    ledger.post(pending("late", ALICE, BOB, 1).timeoutSeconds(20));
    ledger.post(pending("first", ALICE, BOB, 2).timeoutSeconds(10));
    ledger.post(pending("second", ALICE, BOB, 3).timeoutSeconds(10));
    ledger.post(pending("never", ALICE, BOB, 4));
    ledger.post(pending("voided", ALICE, BOB, 5).timeoutSeconds(10));
    ledger.post(TransferRequest.voiding(id("void"), id("voided")));

    fixture.at(START.plusSeconds(10).minusNanos(1_000));
    assertThat(ledger.expireDue(10)).isEmpty();
    fixture.at(START.plusSeconds(10));
    assertThat(fixture.post(TransferRequest.capture(id("too-late"), id("first"))))
        .isEqualTo(TransferStatus.PENDING_EXPIRED);
    assertThat(ledger.expireDue(1)).extracting(Transfer::relatedId).containsExactly(id("first"));
    fixture.at(START.plusSeconds(30));
    assertThat(ledger.expireDue(10))
        .extracting(Transfer::relatedId)
        .containsExactly(id("second"), id("late"));
    assertThat(ledger.expireDue(10)).isEmpty();
    assertThat(ledger.balance(ALICE).state().held()).isEqualTo(cents(4));
    assertThat(ledger.verify(Progress.NONE).violations()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 10_001})
  void refusesLimitsOutsideTheirRange(int limit) {
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> ledger.expireDue(limit))
        .satisfies(misuse -> assertThat(misuse.field()).isEqualTo("limit"));
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> ledger.journal(null, limit));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> ledger.changes(ALICE, null, limit));
  }

  @Test
  void registersAndOpensEachByItself() {
    assertThat(ledger.register(List.of(Asset.of("EUR", 3), Asset.of("X", 0), Asset.of("X", 0))))
        .extracting(RegisterResult::status)
        .containsExactly(
            RegisterResult.Status.EXISTS_DIFFERENT,
            RegisterResult.Status.CREATED,
            RegisterResult.Status.EXISTS);
    assertThat(
            ledger.open(
                List.of(
                    NewAccount.of("bank", "EUR"),
                    NewAccount.of("new", "X"),
                    NewAccount.of("new", "NOPE"),
                    NewAccount.of("other", "NOPE"),
                    NewAccount.of("fees", "EUR").code(3))))
        .extracting(OpenResult::status, OpenResult::field)
        .containsExactly(
            tuple(OpenResult.Status.EXISTS_DIFFERENT, "normal"),
            tuple(OpenResult.Status.CREATED, null),
            tuple(OpenResult.Status.EXISTS_DIFFERENT, "asset"),
            tuple(OpenResult.Status.UNKNOWN_ASSET, null),
            tuple(OpenResult.Status.EXISTS, null));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> ledger.open(Collections.nCopies(10_001, NewAccount.of("bank", "EUR"))));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> ledger.transfers(Collections.nCopies(10_001, id("x"))));
  }

  @Test
  void changesAccounts() {
    ChangeRequest close = ChangeRequest.of(ALICE).close();
    assertThat(ledger.change(close).status()).isEqualTo(ChangeResult.Status.CHANGED);
    assertThat(ledger.change(close.ifChange(7)).status()).isEqualTo(ChangeResult.Status.UNCHANGED);
    assertThat(ledger.change(ChangeRequest.of(ALICE).reopen().ifChange(0)).status())
        .isEqualTo(ChangeResult.Status.CHANGED_MEANWHILE);
    assertThat(fixture.post(direct("in", BANK, ALICE, 1)))
        .isEqualTo(TransferStatus.CREDIT_ACCOUNT_CLOSED);
    assertThat(ledger.account(ALICE).orElseThrow().closedAt()).isEqualTo(START);
    assertThatExceptionOfType(UnknownAccountException.class)
        .isThrownBy(() -> ledger.change(ChangeRequest.of(new AccountId("x"))));
  }

  @Test
  void cutsTimesToMicrosecondsAndNeverGoesBackOnAnAccount() {
    fixture.at(START.plusNanos(1_999));
    ledger.open(List.of(NewAccount.of("late", "EUR")));
    Instant cut = START.plusNanos(1_000);
    assertThat(ledger.account(new AccountId("late")).orElseThrow().openedAt()).isEqualTo(cut);
    assertThat(ledger.post(direct("one", BANK, ALICE, 5)).orThrow().recordedAt()).isEqualTo(cut);
    fixture.at(START.minusSeconds(9));
    assertThat(ledger.post(direct("two", ALICE, BOB, 5)).orThrow().recordedAt()).isEqualTo(cut);
    assertThat(ledger.post(direct("three", BOB, FEES, 5)).orThrow().recordedAt()).isEqualTo(cut);
    assertThat(ledger.change(ChangeRequest.of(ALICE).close()).account().closedAt()).isEqualTo(cut);
    assertThat(ledger.verify(Progress.NONE).violations()).isEmpty();
  }

  @Test
  void staysAsItWasWhenARequestFailsInTheMiddle() {
    ledger.post(direct("deposit", BANK, ALICE, 100));
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    InMemoryLedger fragile =
        new InMemoryLedger(
            () -> {
              if (failure.get() != null) {
                throw failure.get();
              }
              return START;
            });
    fragile.register(List.of(Asset.iso("EUR")));
    fragile.open(LedgerFixture.accounts());
    failure.set(new IllegalStateException("clock"));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> fragile.post(direct("deposit", BANK, ALICE, 100)));
    assertThat(fragile.submit(PostRequest.of(direct("deposit", BANK, ALICE, 100))))
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCause(failure.get());
    failure.set(null);
    assertThat(fragile.journal(null, 10).items()).isEmpty();
    assertThat(fragile.post(direct("deposit", BANK, ALICE, 100)).status())
        .isEqualTo(TransferStatus.CREATED);
  }

  @Test
  void completesSubmittedRequestsWhereTheLedgerMayBeUsed() throws Exception {
    AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));
    InMemoryLedger slow =
        new InMemoryLedger(
            () -> {
              await(gate.get());
              return START;
            });
    slow.register(List.of(Asset.iso("EUR")));
    slow.open(LedgerFixture.accounts());
    gate.set(new CountDownLatch(1));
    CompletableFuture<PostResult> answer =
        slow.submit(PostRequest.of(direct("deposit", BANK, ALICE, 100)));
    CompletableFuture<Thread> completedBy = answer.thenApply(result -> Thread.currentThread());
    // Asked from yet another thread: it would wait for ever if the lock were still held here.
    CompletableFuture<Balance> seen =
        answer.thenApply(
            result ->
                CompletableFuture.supplyAsync(() -> slow.balance(ALICE).balance())
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join());
    gate.get().countDown();
    // Not the answer itself: a thread that waits for that may run what depends on it.
    assertThat(completedBy.get(10, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo(Balance.ofMinor(100));
  }

  @Test
  void withdrawsCancelledAndInterruptedRequestsThatStillWait() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    InMemoryLedger slow =
        new InMemoryLedger(
            () -> {
              asked.countDown();
              await(go);
              return START;
            });
    slow.register(List.of(Asset.iso("EUR")));
    CompletableFuture<PostResult> first = slow.submit(new PostRequest(List.of()));
    await(asked);
    CompletableFuture<PostResult> cancelled =
        slow.submit(PostRequest.of(direct("cancelled", BANK, ALICE, 100)));
    AtomicReference<UnavailableException> withdrawn = new AtomicReference<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread interrupted =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    slow.post(direct("interrupted", BANK, ALICE, 100));
                  } catch (UnavailableException e) {
                    withdrawn.set(e);
                  }
                  flag.complete(Thread.currentThread().isInterrupted());
                });
    cancelled.cancel(true);
    interrupted.interrupt();
    assertThat(flag.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(withdrawn.get().reason()).isEqualTo(UnavailableException.Reason.WITHDRAWN);
    assertThat(withdrawn.get().outcome()).isEqualTo(UnavailableException.Outcome.NOT_POSTED);
    go.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS).items()).isEmpty();
    assertThat(cancelled).isCancelled();
    assertThat(slow.open(LedgerFixture.accounts())).hasSize(4);
    assertThat(slow.journal(null, 10).items()).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(10, TimeUnit.SECONDS)) {
        throw new AssertionError("waited too long");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void answersNothingOnceClosed() {
    ledger.close();
    ledger.close();
    Stream.<Runnable>of(
            () -> ledger.post(new PostRequest(List.of())),
            () -> ledger.register(List.of()),
            () -> ledger.open(List.of()),
            () -> ledger.change(ChangeRequest.of(ALICE).close()),
            () -> ledger.expireDue(1),
            ledger::assets,
            ledger::trialBalance,
            () -> ledger.balance(ALICE),
            () -> ledger.journal(null, 1),
            () -> ledger.transfers(List.of()),
            () -> ledger.verify(Progress.NONE),
            () -> ledger.restoreTransfers(List.of()))
        .forEach(
            call ->
                assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(call::run)
                    .satisfies(InMemoryLedgerTest::requireClosed));
    assertThat(ledger.submit(new PostRequest(List.of())))
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .satisfies(e -> requireClosed((UnavailableException) e.getCause()));
  }

  private static void requireClosed(UnavailableException e) {
    assertThat(e.reason()).isEqualTo(UnavailableException.Reason.CLOSED);
    assertThat(e.outcome()).isEqualTo(UnavailableException.Outcome.NOT_POSTED);
  }

  @Test
  void serialisesManyThreads() throws Exception {
    ledger.post(direct("deposit", BANK, ALICE, 1_000));
    List<CompletableFuture<PostResult>> answers =
        IntStream.range(0, 2_000)
            .mapToObj(i -> ledger.submit(PostRequest.of(direct("spend-" + i, ALICE, BOB, 1))))
            .toList();
    int created = 0;
    for (CompletableFuture<PostResult> answer : answers) {
      created += answer.get(30, TimeUnit.SECONDS).items().getFirst().isRecorded() ? 1 : 0;
    }
    assertThat(created).isEqualTo(1_000);
    assertThat(ledger.balance(ALICE).balance()).isEqualTo(Balance.ZERO);
    assertThat(ledger.verify(Progress.NONE).violations()).isEmpty();
  }

  @Test
  void livelyFixtureHoldsEveryKind() {
    fixture.lively();
    assertThat(ledger.journal(null, 100).items())
        .extracting(Transfer::kind)
        .contains(TransferKind.values());
    assertThat(ledger.verify(Progress.NONE).violations()).isEmpty();
    assertThat(ledger.trialBalance().balanced()).isTrue();
    assertThat(Duration.between(START, ledger.trialBalance().takenAt())).isPositive();
  }
}
