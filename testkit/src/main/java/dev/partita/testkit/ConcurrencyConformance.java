package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Many callers at once: whatever the order, the rules hold and every caller gets its own answer.
 */
abstract class ConcurrencyConformance extends Conformance {

  private static final int CALLERS = 32;

  /** A condition that does not come true in this time never will. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void recordsAnIdOnceHoweverManyPostItAtOnce() {
    givenAccounts("A", "B");

    List<TransferResult> results =
        atOnce(CALLERS, i -> () -> ledger.post(direct("T1", "A", "B", 5)));

    assertThat(count(results, TransferStatus.CREATED)).isEqualTo(1);
    assertThat(count(results, TransferStatus.EXISTS)).isEqualTo(CALLERS - 1);
    assertThat(results).extracting(TransferResult::transfer).containsOnly(transfer("T1"));
    assertThat(balanceOf("A")).isEqualTo(balance(-5));
  }

  @Test
  void recordsOneOfManyContentsUnderTheSameId() {
    givenAccounts("A", "B");

    List<TransferResult> results =
        atOnce(CALLERS, i -> () -> ledger.post(direct("T1", "A", "B", 1 + i)));

    assertThat(count(results, TransferStatus.CREATED)).isEqualTo(1);
    assertThat(count(results, TransferStatus.EXISTS_DIFFERENT)).isEqualTo(CALLERS - 1);
  }

  @Test
  void recordsAGroupOnceHoweverManyPostItAtOnce() {
    givenAccounts("A", "B", "C");
    PostItem group =
        ScenarioText.group(
            "group G", List.of(direct("T1", "A", "B", 5), direct("T2", "B", "C", 5)));

    List<PostResult.Item> results = atOnce(CALLERS, i -> () -> ledger.post(group));

    List<TransferResult> all = results.stream().flatMap(r -> r.transfers().stream()).toList();
    assertThat(count(all, TransferStatus.CREATED)).isEqualTo(2);
    assertThat(count(all, TransferStatus.EXISTS)).isEqualTo(2 * (CALLERS - 1));
    assertThat(balanceOf("C")).isEqualTo(balance(5));
  }

  @Test
  void capturesAHoldOnceHoweverManyTry() {
    givenAccounts("A", "B");
    given("pending H1 A→B 100");

    List<TransferResult> results =
        atOnce(
            CALLERS,
            i ->
                () ->
                    ledger.post(
                        i % 2 == 0
                            ? TransferRequest.capture(id("P" + i), id("H1"))
                            : TransferRequest.voiding(id("V" + i), id("H1"))));

    assertThat(count(results, TransferStatus.CREATED)).isEqualTo(1);
    assertThat(results)
        .extracting(TransferResult::status)
        .containsOnlyOnce(TransferStatus.CREATED)
        .isSubsetOf(
            TransferStatus.CREATED,
            TransferStatus.PENDING_ALREADY_POSTED,
            TransferStatus.PENDING_ALREADY_VOIDED);
    assertThat(ledger.account(account("A")).orElseThrow().balance().version()).isEqualTo(2);
  }

  @Test
  void neverCapturesMoreThanWasHeld() {
    givenAccounts("A", "B");
    given("pending H1 A→B 100");

    List<TransferResult> results =
        atOnce(
            CALLERS,
            i ->
                () ->
                    ledger.post(
                        TransferRequest.capture(id("P" + i), id("H1"))
                            .amount(amount(7))
                            .keepRemainder(true)));

    assertThat(count(results, TransferStatus.CREATED)).isEqualTo(100 / 7);
    assertThat(count(results, TransferStatus.EXCEEDS_REMAINING)).isEqualTo(CALLERS - 100 / 7);
    assertThat(ledger.holds(HoldQuery.all(9)).items())
        .extracting(Hold::remaining)
        .containsExactly(amount(2));
  }

  @Test
  void neverReversesMoreThanTheOriginal() {
    givenAccounts("A", "B");
    given("direct T1 A→B 100");

    List<TransferResult> results =
        atOnce(CALLERS, i -> () -> ledger.post(TransferRequest.reversal(id("R" + i), id("T1"))));

    assertThat(count(results, TransferStatus.CREATED)).isEqualTo(1);
    assertThat(count(results, TransferStatus.EXCEEDS_ORIGINAL)).isEqualTo(CALLERS - 1);
    assertThat(balanceOf("A")).isEqualTo(balance(0));
  }

  @Test
  void keepsTheLimitOfAnAccountThatWasNeverUsedBefore() {
    for (int round = 0; round < 5; round++) {
      String fresh = "fresh" + round;
      String prefix = "T" + round + ".";
      given("open " + fresh + " EUR min -100");
      given("open to" + round + " EUR");
      String to = "to" + round;

      List<TransferResult> results =
          atOnce(CALLERS, i -> () -> ledger.post(direct(prefix + i, fresh, to, 30)));

      assertThat(count(results, TransferStatus.CREATED)).isEqualTo(3);
      assertThat(count(results, TransferStatus.INSUFFICIENT_FUNDS)).isEqualTo(CALLERS - 3);
      assertThat(balanceOf(fresh)).isEqualTo(balance(-90));
    }
  }

  @Test
  void letsOpposingTransfersAndGroupsPassEachOther() {
    for (int i = 0; i < 10; i++) {
      givenAccounts("A" + i);
    }

    List<Boolean> results =
        atOnce(
            CALLERS,
            caller ->
                () -> {
                  Random random = new Random(caller);
                  boolean recorded = true;
                  for (int n = 0; n < 5; n++) {
                    String name = "T" + caller + "." + n;
                    List<String> order = new ArrayList<>();
                    for (int i = 0; i < 10; i++) {
                      order.add("A" + i);
                    }
                    Collections.shuffle(order, random);
                    recorded &=
                        ledger.post(direct(name, order.get(0), order.get(1), 1)).status()
                            == TransferStatus.CREATED;
                    List<PostItem> members = new ArrayList<>();
                    for (int i = 1; i < 10; i++) {
                      members.add(direct(name + "." + i, order.get(i - 1), order.get(i), 1));
                    }
                    recorded &=
                        ledger.post(ScenarioText.group("group G" + name, members)).isRecorded();
                  }
                  return recorded;
                });

    assertThat(results).containsOnly(true);
    assertThat(ledger.verify((done, total) -> {}).transfers()).isEqualTo(CALLERS * 5L * 10);
  }

  @Test
  void givesEveryCallerItsOwnAnswers() {
    given("open A EUR", "open B EUR", "open N EUR min 0");

    List<Boolean> results =
        atOnce(
            CALLERS,
            caller ->
                () -> {
                  List<PostItem> items = new ArrayList<>();
                  for (int i = 0; i < 20; i++) {
                    String name = "T" + caller + "." + i;
                    items.add(direct(name, i % 3 == 0 ? "N" : "A", "B", caller + 1L));
                  }
                  List<TransferResult> answers = ledger.post(new PostRequest(items)).transfers();
                  boolean own = answers.size() == items.size();
                  for (int i = 0; i < items.size(); i++) {
                    own &= answers.get(i).id().equals(items.get(i).id());
                    own &=
                        i % 3 == 0
                            ? answers.get(i).status() == TransferStatus.INSUFFICIENT_FUNDS
                            : answers.get(i).orThrow().amount().equals(amount(caller + 1L));
                  }
                  return own;
                });

    assertThat(results).containsOnly(true);
  }

  /** Groups of several callers share a commit, and each stands or falls by itself. */
  @Test
  void neverMixesTheGroupsOfDifferentCallers() {
    given("open A EUR", "open B EUR", "open N EUR min 0");

    List<PostResult> results =
        atOnce(
            CALLERS,
            caller ->
                () -> {
                  String name = "T" + caller;
                  return ledger.post(
                      new PostRequest(
                          List.of(
                              ScenarioText.group(
                                  "group G" + caller,
                                  List.of(
                                      direct(name + ".0", "A", "B", 1),
                                      direct(name + ".1", caller % 2 == 0 ? "A" : "N", "B", 1))),
                              direct(name + ".2", "A", "B", 1),
                              ScenarioText.group(
                                  "group F" + caller,
                                  List.of(
                                      direct(name + ".3", "N", "B", 1),
                                      direct(name + ".4", "A", "B", 1))))));
                });

    for (int caller = 0; caller < CALLERS; caller++) {
      PostResult result = results.get(caller);
      String name = "T" + caller;
      assertThat(result.transfers())
          .extracting(TransferResult::id)
          .isEqualTo(ids(name + ".0", name + ".1", name + ".2", name + ".3", name + ".4"));
      assertThat(result.transfers())
          .extracting(TransferResult::status)
          .containsExactly(
              caller % 2 == 0 ? TransferStatus.CREATED : TransferStatus.GROUP_FAILED,
              caller % 2 == 0 ? TransferStatus.CREATED : TransferStatus.INSUFFICIENT_FUNDS,
              TransferStatus.CREATED,
              TransferStatus.INSUFFICIENT_FUNDS,
              TransferStatus.GROUP_FAILED);
    }
    assertThat(balanceOf("B")).isEqualTo(balance(CALLERS + CALLERS / 2 * 2));
  }

  @Test
  void expiresEveryHoldOnceHoweverManySweep() {
    givenAccounts("A", "B");
    for (int i = 0; i < 100; i++) {
      given("pending H" + i + " A→B 1 timeout " + (1 + i % 7));
    }
    given("clock +10s");

    List<List<Transfer>> results = atOnce(8, i -> () -> ledger.expireDue(30));

    List<Transfer> expired = results.stream().flatMap(List::stream).toList();
    assertThat(new HashSet<>(ids(expired))).hasSize(expired.size());
    given("expire 100");
    assertThat(ledger.holds(HoldQuery.all(9)).items()).isEmpty();
    assertThat(ledger.account(account("A")).orElseThrow().balance().version()).isEqualTo(200);
  }

  @Test
  void opensAnAccountOnceHoweverManyOpenIt() {
    List<OpenResult> results =
        atOnce(CALLERS, i -> () -> ledger.open(List.of(NewAccount.of("A", "EUR"))).getFirst());

    assertThat(results.stream().filter(r -> r.status() == OpenResult.Status.CREATED)).hasSize(1);
    assertThat(results.stream().filter(r -> r.status() == OpenResult.Status.EXISTS))
        .hasSize(CALLERS - 1);
  }

  @Test
  void opensAccountsWhileTransfersAskForThem() {
    givenAccounts("B");

    List<TransferStatus> results =
        atOnce(
            CALLERS,
            i ->
                () -> {
                  ledger.open(List.of(NewAccount.of("A" + i % 4, "EUR")));
                  return ledger.post(direct("T" + i, "A" + i % 4, "B", 1)).status();
                });

    assertThat(results).containsOnly(TransferStatus.CREATED);
    assertThat(balanceOf("B")).isEqualTo(balance(CALLERS));
  }

  @Test
  void keepsLimitsUnderManyKindsOfTransfersAtOnce() {
    for (int i = 0; i < 4; i++) {
      given("open A" + i + " EUR min 0 max 1000");
    }
    given("open Z EUR");
    for (int i = 0; i < 4; i++) {
      given("direct S" + i + " Z→A" + i + " 500");
    }

    atOnce(
        CALLERS,
        caller ->
            () -> {
              Random random = new Random(caller);
              for (int n = 0; n < 20; n++) {
                String name = caller + "." + n;
                int from = random.nextInt(4);
                int to = (from + 1 + random.nextInt(3)) % 4;
                long much = random.nextInt(400);
                ledger.post(direct("T" + name, "A" + from, "A" + to, much));
                ledger.post(pending("H" + name, "A" + to, "A" + from, much));
                ledger.post(
                    random.nextBoolean()
                        ? TransferRequest.capture(id("P" + name), id("H" + name))
                        : TransferRequest.voiding(id("V" + name), id("H" + name)));
              }
              return true;
            });

    for (int i = 0; i < 4; i++) {
      assertThat(balanceOf("A" + i)).isBetween(balance(0), balance(1000));
    }
  }

  @Test
  void recordsOnceWhatWasCancelledAndPostedAgain() {
    givenAccounts("A", "B");
    for (int i = 0; i < 50; i++) {
      TransferRequest request = direct("T" + i, "A", "B", 1);
      CompletableFuture<PostResult> submitted =
          ledger.submit(PostRequest.of(request)).toCompletableFuture();
      boolean cancelled = submitted.cancel(true);
      assertThat(submitted.isCancelled()).isEqualTo(cancelled);
      boolean recorded = ledger.transfer(request.id()).isPresent();
      if (!cancelled) {
        assertThat(recorded).as("%s was answered", request).isTrue();
      }
      TransferStatus status = ledger.post(request).status();
      // Cancelled, it may have been taken up and be recorded between the look and the repetition.
      assertThat(status)
          .as("%s, cancelled %s, recorded %s", request, cancelled, recorded)
          .isIn(TransferStatus.EXISTS, recorded ? TransferStatus.EXISTS : TransferStatus.CREATED);
    }

    assertThat(balanceOf("B")).isEqualTo(balance(50));
  }

  @Test
  void answersOrWithdrawsWhatAnInterruptedThreadPosts() {
    givenAccounts("A", "B");
    boolean withdrawn = false;
    boolean flag;
    Thread.currentThread().interrupt();
    try {
      assertThat(ledger.post(direct("T1", "A", "B", 1)).status()).isEqualTo(TransferStatus.CREATED);
    } catch (UnavailableException e) {
      assertThat(e.reason()).isEqualTo(UnavailableException.Reason.WITHDRAWN);
      assertThat(e.outcome()).isEqualTo(UnavailableException.Outcome.NOT_POSTED);
      withdrawn = true;
    } finally {
      flag = Thread.interrupted();
    }

    assertThat(flag || withdrawn).as("the thread learns of its interrupt").isTrue();
    assertThat(ledger.transfer(id("T1")).isEmpty()).isEqualTo(withdrawn);
    assertThat(ledger.post(direct("T1", "A", "B", 1)).status())
        .isEqualTo(withdrawn ? TransferStatus.CREATED : TransferStatus.EXISTS);
  }

  private static long count(List<TransferResult> results, TransferStatus status) {
    return results.stream().filter(result -> result.status() == status).count();
  }

  /** Starts all tasks at the same moment, each on a thread of its own, and waits for them. */
  static <T> List<T> atOnce(int callers, IntFunction<Callable<T>> tasks) {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        Callable<T> task = tasks.apply(i);
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      }
      return results;
    } catch (ExecutionException e) {
      throw new AssertionError("a caller failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } catch (TimeoutException | CancellationException e) {
      throw new AssertionError("a caller waits for ever", e);
    }
  }
}
