package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.DEBIT_ACCOUNT_NOT_FOUND;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.RegisterResult;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Opening and changing accounts while others do the same, or post. */
class AccountWriterTest {

  private static final int THREADS = 8;

  private Stage stage;
  private PostgresLedger a;
  private PostgresLedger b;

  @BeforeEach
  void open() {
    stage = new Stage();
    a = stage.node("a");
    b = stage.node("b");
    Stage.open(a, "world", "shop");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void oneOfManyOpensEachAccount() throws Exception {
    long seed = Seeds.random().nextLong();
    CyclicBarrier together = new CyclicBarrier(THREADS);
    List<Future<List<OpenResult>>> answers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      PostgresLedger node = i % 2 == 0 ? a : b;
      Random random = new Random(seed + i);
      answers.add(
          stage.start(
              () -> {
                List<OpenResult> results = new ArrayList<>();
                for (int round = 0; round < 10; round++) {
                  List<NewAccount> accounts = new ArrayList<>();
                  for (int n = 0; n < 20; n++) {
                    accounts.add(NewAccount.of("n:" + round + ":" + n, "EUR"));
                  }
                  Collections.shuffle(accounts, random);
                  together.await(1, TimeUnit.MINUTES);
                  results.addAll(node.open(accounts));
                }
                return results;
              }));
    }
    long created = 0;
    long existing = 0;
    for (Future<List<OpenResult>> answer : answers) {
      for (OpenResult result : answer.get(1, TimeUnit.MINUTES)) {
        assertThat(result.status()).isIn(OpenResult.Status.CREATED, OpenResult.Status.EXISTS);
        if (result.status() == OpenResult.Status.CREATED) {
          created++;
        } else {
          existing++;
        }
      }
    }
    assertThat(created).isEqualTo(200);
    assertThat(existing).isEqualTo(200L * (THREADS - 1));
  }

  @Test
  void oneOfManyRegistersEachAsset() throws Exception {
    CyclicBarrier together = new CyclicBarrier(THREADS);
    List<Future<RegisterResult>> answers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int scale = i;
      PostgresLedger node = i % 2 == 0 ? a : b;
      answers.add(
          stage.start(
              () -> {
                together.await(1, TimeUnit.MINUTES);
                return node.register(List.of(new Asset(new AssetCode("BTC"), scale))).getFirst();
              }));
    }
    int created = 0;
    for (Future<RegisterResult> answer : answers) {
      RegisterResult.Status status = answer.get(1, TimeUnit.MINUTES).status();
      assertThat(status)
          .isIn(RegisterResult.Status.CREATED, RegisterResult.Status.EXISTS_DIFFERENT);
      created += status == RegisterResult.Status.CREATED ? 1 : 0;
    }
    assertThat(created).isEqualTo(1);
  }

  /** An account that is not there is never remembered as not there. */
  @Test
  void transfersFindAnAccountAsSoonAsItIsOpen() throws Exception {
    for (int i = 0; i < 20; i++) {
      String id = "young:" + i;
      assertThat(b.post(Stage.direct(id, "shop", 1)).status()).isEqualTo(DEBIT_ACCOUNT_NOT_FOUND);
      Future<Integer> poster =
          stage.start(
              () -> {
                int refused = 0;
                while (true) {
                  TransferStatus status = b.post(Stage.direct(id, "shop", 1)).status();
                  if (status == CREATED) {
                    return refused;
                  }
                  assertThat(status).isEqualTo(DEBIT_ACCOUNT_NOT_FOUND);
                  refused++;
                }
              });
      Stage.open(a, id);
      assertThat(b.post(Stage.direct(id, "shop", 1)).status()).isEqualTo(CREATED);
      assertThat(poster.get(1, TimeUnit.MINUTES)).isNotNegative();
    }
  }

  @Test
  void aChangeWaitsForTheAccountAndNoLongerThanItsPatience() throws Exception {
    PostgresLedger impatient =
        stage.node("impatient", stage.config().contentionPatience(Duration.ofMillis(200)));
    ChangeRequest close = ChangeRequest.of(AccountId.of("shop")).close();
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, "shop");
      Future<ChangeResult> tired = stage.start(() -> impatient.change(close));
      assertThatThrownBy(() -> tired.get(1, TimeUnit.MINUTES))
          .cause()
          .isInstanceOfSatisfying(
              UnavailableException.class,
              e -> {
                assertThat(e.reason()).isEqualTo(Reason.CONTENTION);
                assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED);
              });
      Future<ChangeResult> patient = stage.start(() -> a.change(close));
      stage.awaitWaiting("a");
      holder.rollback();
      assertThat(patient.get(1, TimeUnit.MINUTES).status()).isEqualTo(ChangeResult.Status.CHANGED);
    }
    assertThat(stage.number("SELECT count(*) FROM %s.account_change")).isEqualTo(1);
  }

  @Test
  void oneOfTwoConditionalChangesWins() throws Exception {
    for (long number = 0; number < 20; number++) {
      ChangeRequest base = ChangeRequest.of(AccountId.of("shop")).ifChange(number);
      ChangeRequest one = base.metadata(Metadata.of(Map.of("by", "a" + number)));
      ChangeRequest two = base.metadata(Metadata.of(Map.of("by", "b" + number)));
      try (Connection holder = Stage.begin()) {
        stage.lock(holder, "shop");
        Future<ChangeResult> ofA = stage.start(() -> a.change(one));
        Future<ChangeResult> ofB = stage.start(() -> b.change(two));
        stage.awaitWaiting("a", "b");
        holder.rollback();
        assertThat(
                List.of(
                    ofA.get(1, TimeUnit.MINUTES).status(), ofB.get(1, TimeUnit.MINUTES).status()))
            .containsExactlyInAnyOrder(
                ChangeResult.Status.CHANGED, ChangeResult.Status.CHANGED_MEANWHILE);
      }
    }
    assertThat(stage.number("SELECT last_change FROM %s.account WHERE id = 'shop'")).isEqualTo(20);
  }

  /** The batch waits for the account while its limit is raised: it must see the new one. */
  @Test
  void aBatchThatWaitedRespectsTheLimitSetMeanwhile() throws Exception {
    AccountId shop = AccountId.of("shop");
    UUID original = a.post(Stage.direct("world", "shop", 1)).id();
    List<TransferRequest> requests =
        List.of(
            Stage.direct("shop", "world", 1),
            Stage.pending(UUID.randomUUID(), "shop", "world", 1),
            TransferRequest.reversal(UUID.randomUUID(), original));
    a.post(Stage.direct("world", "shop", 1));
    a.change(ChangeRequest.of(shop).minBalance(Balance.ofMinor(-100)));
    for (int round = 0; round < 2; round++) {
      // First known by its name, then by its number: two forms of the statement that locks.
      List<CompletableFuture<PostResult>> waiting = new ArrayList<>();
      try (Connection holder = Stage.begin();
          var statement = holder.createStatement()) {
        stage.lock(holder, "shop");
        for (TransferRequest request : requests) {
          waiting.add(b.submit(PostRequest.of(request)));
        }
        stage.awaitWaiting("b");
        statement.execute(
            """
            INSERT INTO %1$s.account_change
              SELECT last_change + 1, now(), 1, no, false, false, NULL, min_balance, max_balance,
                     2, max_balance, metadata, metadata
              FROM %1$s.account WHERE id = 'shop';
            UPDATE %1$s.account SET min_balance = 2, last_change = last_change + 1
              WHERE id = 'shop'
            """
                .formatted(stage.schema()));
        holder.commit();
      }
      for (CompletableFuture<PostResult> answer : waiting) {
        assertThat(answer.get(1, TimeUnit.MINUTES).transfers().getFirst().status())
            .isEqualTo(INSUFFICIENT_FUNDS);
      }
      a.change(ChangeRequest.of(shop).minBalance(Balance.ofMinor(-100 - round)));
    }
    assertThat(a.post(requests.getFirst()).status()).isEqualTo(CREATED);
  }

  @Test
  void changesAreNumberedWithoutGapsUnderContention() throws Exception {
    CyclicBarrier together = new CyclicBarrier(THREADS);
    List<Future<Integer>> changers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      PostgresLedger node = i % 2 == 0 ? a : b;
      int own = i;
      changers.add(
          stage.start(
              () -> {
                together.await(1, TimeUnit.MINUTES);
                int changed = 0;
                for (int n = 0; n < 10; n++) {
                  ChangeRequest change =
                      ChangeRequest.of(AccountId.of("shop"))
                          .metadata(Metadata.of(Map.of("by", own + "." + n)));
                  if (node.change(change).status() == ChangeResult.Status.CHANGED) {
                    changed++;
                  }
                  node.post(Stage.direct("world", "shop", 1));
                }
                return changed;
              }));
    }
    int changed = 0;
    for (Future<Integer> changer : changers) {
      changed += changer.get(1, TimeUnit.MINUTES);
    }
    assertThat(changed).isEqualTo(10 * THREADS);
    assertThat(stage.number("SELECT last_change FROM %s.account WHERE id = 'shop'"))
        .isEqualTo(changed);
  }
}
