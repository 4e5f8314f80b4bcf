package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.LedgerEvent;
import dev.partita.NewAccount;
import dev.partita.Page;
import dev.partita.Transfer;
import dev.partita.UnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The change feed misses nothing while transactions of all kinds commit in another order than they
 * took their numbers in.
 */
class FeedUnderWritersTest {

  private static final int ROUNDS = 30;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Stage stage;
  private PostgresLedger first;
  private PostgresLedger second;

  @BeforeEach
  void open() {
    stage = new Stage();
    first = stage.node("first", stage.config().lanes(2));
    second = stage.node("second");
    Stage.open(first, "hot", "own:0", "own:1", "own:2", "own:3");
  }

  @AfterEach
  void close() throws SQLException {
    threads.close();
    stage.close();
  }

  private static void await(List<Future<Void>> writers) throws Exception {
    for (Future<Void> writer : writers) {
      writer.get();
    }
  }

  /** Follows the feed until the writers have ended and nothing is left. */
  private Future<List<LedgerEvent>> follow(PostgresLedger node, int limit, Phaser writing) {
    return threads.submit(
        () -> {
          List<LedgerEvent> events = new ArrayList<>();
          String cursor = null;
          while (true) {
            boolean ended = writing.isTerminated();
            Page<LedgerEvent> page = node.feed(cursor, limit);
            events.addAll(page.items());
            // What was committed before the writers were seen to have ended is final by then.
            if (ended && page.items().isEmpty()) {
              return events;
            }
            cursor = page.next();
          }
        });
  }

  private static Void retried(Runnable work) {
    while (true) {
      try {
        work.run();
        return null;
      } catch (UnavailableException e) {
        assertThat(e.reason()).isEqualTo(UnavailableException.Reason.CONTENTION);
      }
    }
  }

  /**
   * Posts through a caller's transaction that takes its number, lets others go on, and only then
   * ends: every third time by a roll-back.
   */
  private Void late(PostgresLedger node, int who, Phaser steps) throws SQLException {
    for (int i = 0; i < ROUNDS; i++) {
      try (Connection connection = Stage.begin()) {
        node.inTransaction(connection).post(Stage.direct("own:" + who, "own:" + (who + 1), i + 1));
        int phase = steps.getPhase();
        // Others commit several batches, with higher numbers, before this one ends.
        for (int n = 0; n < 1 + (i + who) % 4 && phase >= 0; n++) {
          phase = steps.awaitAdvance(phase);
        }
        if (i % 3 == 2) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
    return null;
  }

  @Test
  void tellsEverythingOnceAndInOrderHoweverCommitsFinish() throws Exception {
    Phaser steps = new Phaser(1);
    Phaser writing = new Phaser(1);
    Future<List<LedgerEvent>> one = follow(first, 7, writing);
    Future<List<LedgerEvent>> other = follow(second, 10_000, writing);
    List<Future<Void>> late =
        List.of(
            threads.submit(() -> late(first, 0, steps)),
            threads.submit(() -> late(second, 2, steps)));
    List<Future<Void>> writers = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      PostgresLedger node = w % 2 == 0 ? first : second;
      String account = "w:" + w;
      Callable<Void> work =
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              String id = account + ":" + i;
              node.open(List.of(NewAccount.of(id, "EUR")));
              retried(() -> node.post(Stage.direct("hot", id, 1)));
              Balance least = Balance.ofMinor(-i - 1);
              retried(() -> node.change(ChangeRequest.of(AccountId.of(id)).minBalance(least)));
              retried(() -> node.post(Stage.direct("hot", id, 2)));
              retried(() -> node.change(ChangeRequest.of(AccountId.of("hot")).minBalance(least)));
              steps.arrive();
            }
            return null;
          };
      writers.add(threads.submit(work));
    }
    await(writers);
    // Whoever waits for others to go on need not do so any longer.
    steps.arriveAndDeregister();
    await(late);
    writing.arriveAndDeregister();

    List<LedgerEvent> all = all(first);
    assertThat(names(one.get())).isEqualTo(names(all));
    assertThat(names(other.get())).isEqualTo(names(all));
    assertThat(new HashSet<>(names(all))).hasSameSizeAs(all).isEqualTo(recorded());
    requireOrder(all);
    for (int i = 0; i < all.size(); i++) {
      List<LedgerEvent> next = second.feed(all.get(i).cursor(), 3).items();
      assertThat(names(next))
          .as("after event " + i)
          .isEqualTo(names(all.subList(i + 1, Math.min(all.size(), i + 4))));
    }
  }

  private static List<LedgerEvent> all(PostgresLedger node) {
    List<LedgerEvent> events = new ArrayList<>();
    Page<LedgerEvent> page = node.feed(null, 100);
    while (!page.items().isEmpty()) {
      events.addAll(page.items());
      page = node.feed(page.next(), 100);
    }
    return events;
  }

  private static List<String> names(List<LedgerEvent> events) {
    return events.stream().map(LedgerEvent::id).toList();
  }

  /** What the journal, the accounts and their changes have. */
  private Set<String> recorded() {
    Set<String> names = new HashSet<>();
    for (Transfer transfer : first.journal(null, 10_000).items()) {
      names.add("transfer:" + transfer.id());
    }
    first
        .accounts(AccountQuery.all(10_000))
        .items()
        .forEach(
            account -> {
              names.add("opened:" + account.id());
              for (AccountChange change : first.changes(account.id(), null, 10_000).items()) {
                names.add("changed:" + account.id() + ":" + change.number());
              }
            });
    return names;
  }

  private static void requireOrder(List<LedgerEvent> events) {
    Map<AccountId, Long> versions = new HashMap<>();
    Map<AccountId, Long> changes = new HashMap<>();
    for (LedgerEvent event : events) {
      switch (event) {
        case LedgerEvent.AccountOpened opened ->
            assertThat(versions.put(opened.account().id(), 0L)).as(event.id()).isNull();
        case LedgerEvent.AccountChanged changed -> {
          AccountChange change = changed.change();
          assertThat(versions.get(change.account()))
              .as(event.id())
              .isEqualTo(change.afterVersion());
          assertThat(changes.merge(change.account(), 1L, Long::sum)).isEqualTo(change.number());
        }
        case LedgerEvent.TransferRecorded recorded -> {
          Transfer transfer = recorded.transfer();
          for (AccountBalance after : List.of(transfer.debitAfter(), transfer.creditAfter())) {
            assertThat(versions.put(after.account(), after.version()))
                .as(event.id())
                .isEqualTo(after.version() - 1);
          }
        }
      }
    }
  }

  @Test
  void endsBeforeAnOpeningThatIsUnderWay() throws SQLException {
    String cursor = all(first).getLast().cursor();
    try (Connection slow = TestServer.connect()) {
      slow.setAutoCommit(false);
      try (Statement statement = slow.createStatement()) {
        statement.execute(
            "INSERT INTO "
                + stage.schema()
                + ".account (opened_at, code, normal, id, asset)"
                + " VALUES (clock_timestamp(), 0, 1, 'late', 'EUR')");
      }
      first.post(Stage.direct("hot", "own:0", 1));
      assertThat(first.feed(cursor, 10).items()).isEmpty();
      slow.commit();
    }
    assertThat(names(first.feed(cursor, 10).items())).startsWith("opened:late").hasSize(2);
  }
}
