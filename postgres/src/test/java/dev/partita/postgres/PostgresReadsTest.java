package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AssetCode;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.UnknownAccountException;
import dev.partita.memory.InMemoryLedger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Everything read from the tables is what the in-memory ledger says of the same history. */
class PostgresReadsTest {

  private static final AccountId NOBODY = AccountId.of("nobody");

  private static final Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
  private static InMemoryLedger memory;
  private static PostgresReads reads;
  private static RandomHistory history;

  @BeforeAll
  static void copyAHistory() {
    String schema = TestServer.freshSchema();
    memory = new InMemoryLedger(() -> now[0]);
    history = new RandomHistory(memory, 8, by -> now[0] = now[0].plus(by));
    history.open();
    Mirror mirror = new Mirror(memory, TestServer.application(), schema);
    mirror.sync();
    for (int i = 0; i < 300; i++) {
      history.step();
      mirror.sync();
    }
    reads = new PostgresReads(TestServer.application(), schema, () -> now[0]);
    // Else there is nothing to compare: take another seed.
    assertThat(accounts())
        .allMatch(id -> !memory.statement(StatementQuery.oldestFirst(id, 1)).items().isEmpty());
  }

  private static List<AccountId> accounts() {
    List<AccountId> all = new ArrayList<>(RandomHistory.euros());
    all.addAll(RandomHistory.coins());
    return all;
  }

  @Test
  void readsAssetsAccountsAndChanges() {
    assertThat(reads.assets()).isEqualTo(memory.assets());
    assertThat(reads.account(NOBODY)).isEmpty();
    for (AccountId id : accounts()) {
      assertThat(reads.account(id)).isEqualTo(memory.account(id));
      assertThat(reads.changes(id, null, 1_000).items())
          .isEqualTo(memory.changes(id, null, 1_000).items());
      assertThat(all(cursor -> reads.changes(id, cursor, 3)))
          .isEqualTo(memory.changes(id, null, 1_000).items());
    }
    assertThat(reads.trialBalance()).isEqualTo(memory.trialBalance());
    assertThatThrownBy(() -> reads.changes(NOBODY, null, 10))
        .isInstanceOf(UnknownAccountException.class);
  }

  @Test
  void listsAccountsByEveryCriterion() {
    List<AccountQuery> queries =
        List.of(
            AccountQuery.all(100),
            AccountQuery.prefix("seller:", 100),
            AccountQuery.prefix("seller:1", 100),
            AccountQuery.prefix("b", 100),
            new AccountQuery(null, RandomHistory.BTC, null, null, 100),
            new AccountQuery("s", RandomHistory.EUR, 200, null, 100),
            new AccountQuery(null, new AssetCode("NONE"), null, null, 100));
    for (AccountQuery query : queries) {
      List<Account> expected = memory.accounts(query).items();
      assertThat(reads.accounts(query).items()).as(query.toString()).isEqualTo(expected);
      for (int limit : List.of(1, 2, expected.size() == 0 ? 1 : expected.size())) {
        AccountQuery paged =
            new AccountQuery(query.prefix(), query.asset(), query.code(), null, limit);
        assertThat(all(cursor -> reads.accounts(paged.from(cursor)))).isEqualTo(expected);
      }
    }
  }

  @Test
  void readsBalancesNowAndAtEveryMoment() {
    Random random = new Random(3);
    for (AccountId id : accounts()) {
      assertThat(reads.balance(id)).isEqualTo(memory.balance(id));
      List<Instant> moments = moments(id, random);
      for (Instant at : moments) {
        assertThat(reads.balanceAsRecorded(id, at)).isEqualTo(memory.balanceAsRecorded(id, at));
        assertThat(reads.balanceAsEffective(id, at)).isEqualTo(memory.balanceAsEffective(id, at));
        for (Instant known : moments.subList(0, 6)) {
          assertThat(reads.balanceAsEffective(id, at, known))
              .isEqualTo(memory.balanceAsEffective(id, at, known));
        }
      }
      for (Instant at : List.of(Instant.MIN, Instant.MAX, Instant.parse("2025-12-31T22:00:00Z"))) {
        assertThat(reads.balanceAsEffective(id, at)).isEqualTo(memory.balanceAsEffective(id, at));
        assertSameFailure(
            () -> reads.balanceAsRecorded(id, at), () -> memory.balanceAsRecorded(id, at));
        assertSameFailure(
            () -> reads.balanceAsEffective(id, now[0], at),
            () -> memory.balanceAsEffective(id, now[0], at));
      }
    }
    assertThatThrownBy(() -> reads.balance(NOBODY)).isInstanceOf(UnknownAccountException.class);
    assertThatThrownBy(() -> reads.balanceAsRecorded(NOBODY, now[0]))
        .isInstanceOf(UnknownAccountException.class);
    assertThatThrownBy(() -> reads.balanceAsEffective(NOBODY, now[0]))
        .isInstanceOf(UnknownAccountException.class);
  }

  private static List<Instant> moments(AccountId id, Random random) {
    List<Entry> lines = memory.statement(StatementQuery.oldestFirst(id, 10_000)).items();
    List<Instant> moments = new ArrayList<>();
    moments.add(memory.account(id).orElseThrow().openedAt());
    moments.add(now[0]);
    moments.add(now[0].minusNanos(1));
    for (int i = 0; i < 20; i++) {
      Instant at = lines.get(random.nextInt(lines.size())).transfer().recordedAt();
      moments.add(at);
      moments.add(at.plusNanos(999));
      if (at.isAfter(moments.getFirst())) {
        moments.add(at.minusNanos(1));
      }
    }
    return moments;
  }

  @Test
  void pagesStatementsBothWays() {
    for (AccountId id : accounts()) {
      for (boolean newestFirst : List.of(true, false)) {
        List<Entry> expected =
            memory.statement(new StatementQuery(id, newestFirst, null, 10_000)).items();
        for (int limit : List.of(1, 7, expected.size(), expected.size() + 1)) {
          StatementQuery query = new StatementQuery(id, newestFirst, null, limit);
          assertThat(all(cursor -> reads.statement(query.from(cursor)))).isEqualTo(expected);
        }
      }
    }
    assertThatThrownBy(() -> reads.statement(StatementQuery.oldestFirst(NOBODY, 10)))
        .isInstanceOf(UnknownAccountException.class);
  }

  @Test
  void readsTransfersInTheOrderAskedFor() {
    List<UUID> ids = new ArrayList<>();
    memory.journal(null, 10_000).items().forEach(transfer -> ids.add(transfer.id()));
    ids.add(3, new UUID(1, 2));
    ids.add(ids.getFirst());
    java.util.Collections.shuffle(ids, new Random(1));
    assertThat(reads.transfers(ids)).isEqualTo(memory.transfers(ids));
    assertThat(reads.transfers(List.of())).isEmpty();
  }

  @Test
  void findsByEveryCombinationOfCriteria() {
    Random random = new Random(11);
    List<Transfer> journal = memory.journal(null, 10_000).items();
    int hits = 0;
    for (int i = 0; i < 300; i++) {
      Transfer some = journal.get(random.nextInt(journal.size()));
      boolean any = random.nextInt(3) == 0;
      Instant at = some.recordedAt();
      Instant from = random.nextInt(3) == 0 ? at.minusNanos(random.nextInt(2_000_000_000)) : null;
      Instant to = random.nextInt(3) == 0 ? at.plusNanos(random.nextInt(2_000_000_000)) : null;
      UUID group =
          some.group() != null && random.nextBoolean()
              ? some.group().id()
              : random.nextInt(8) == 0 ? history.groups().getFirst() : null;
      UUID related = random.nextInt(4) == 0 ? some.relatedId() : null;
      String reference = random.nextInt(3) == 0 ? some.reference() : null;
      AccountId account = any ? some.debit() : random.nextInt(4) == 0 ? some.credit() : null;
      Integer code = random.nextInt(3) == 0 ? (Integer) some.code() : null;
      if (group == null && related == null && reference == null && account == null) {
        from = from == null ? at : from;
        to = to == null ? at.plusSeconds(random.nextInt(60)) : to;
      }
      TransferQuery query =
          new TransferQuery(reference, group, related, account, code, from, to, null, 10_000);
      List<Transfer> expected = memory.find(query).items();
      hits += expected.size();
      assertThat(reads.find(query).items()).as(query.toString()).isEqualTo(expected);
      TransferQuery paged =
          new TransferQuery(
              reference, group, related, account, code, from, to, null, 1 + random.nextInt(5));
      assertThat(all(cursor -> reads.find(paged.from(cursor)))).isEqualTo(expected);
    }
    assertThat(hits).isGreaterThan(1_000);
    assertThatThrownBy(() -> reads.find(TransferQuery.account(NOBODY, 10)))
        .isInstanceOf(UnknownAccountException.class);
  }

  @Test
  void listsOpenHolds() {
    List<HoldQuery> queries = new ArrayList<>();
    queries.add(HoldQuery.all(10_000));
    queries.add(new HoldQuery(null, RandomHistory.BTC, null, null, 10_000));
    queries.add(new HoldQuery(null, null, now[0].plusSeconds(8), null, 10_000));
    for (AccountId id : accounts()) {
      queries.add(HoldQuery.account(id, 10_000));
      queries.add(new HoldQuery(id, RandomHistory.EUR, now[0].plusSeconds(8), null, 10_000));
    }
    for (HoldQuery query : queries) {
      List<Hold> expected = memory.holds(query).items();
      assertThat(reads.holds(query).items()).as(query.toString()).isEqualTo(expected);
      HoldQuery paged = new HoldQuery(query.account(), query.asset(), query.dueBy(), null, 3);
      assertThat(all(cursor -> reads.holds(paged.from(cursor)))).isEqualTo(expected);
    }
    assertThat(reads.holds(queries.getFirst()).items()).hasSizeGreaterThan(5);
    assertThatThrownBy(() -> reads.holds(HoldQuery.account(NOBODY, 10)))
        .isInstanceOf(UnknownAccountException.class);
  }

  @Test
  void readsTheJournal() {
    List<Transfer> expected = memory.journal(null, 10_000).items();
    Page<Transfer> whole = reads.journal(null, 10_000);
    assertThat(whole.items()).isEqualTo(expected);
    assertThat(reads.journal(whole.next(), 10).items()).isEmpty();
    for (int limit : List.of(1, 13, expected.size())) {
      List<Transfer> found = new ArrayList<>();
      Page<Transfer> page = reads.journal(null, limit);
      while (!page.items().isEmpty()) {
        found.addAll(page.items());
        page = reads.journal(page.next(), limit);
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  @Test
  void refusesForeignAndMalformedCursors() {
    String statement = reads.statement(StatementQuery.oldestFirst(accounts().get(0), 1)).next();
    String journal = reads.journal(null, 1).next();
    String accounts = reads.accounts(AccountQuery.all(1)).next();
    String find = reads.find(TransferQuery.account(accounts().get(0), 1)).next();
    Set<String> cursors =
        new HashSet<>(List.of(statement, journal, accounts, find, "", "x", "AAAA"));
    for (String cursor : cursors) {
      assertMisuse(() -> reads.statement(new StatementQuery(accounts().get(1), false, cursor, 1)));
      assertMisuse(() -> reads.holds(HoldQuery.all(1).from(cursor)));
      assertMisuse(() -> reads.changes(accounts().get(0), cursor, 1));
      assertMisuse(() -> reads.find(TransferQuery.account(accounts().get(1), 1).from(cursor)));
      assertMisuse(() -> reads.find(TransferQuery.reference("order-1", 1).from(cursor)));
      if (!cursor.equals(journal)) {
        assertMisuse(() -> reads.journal(cursor, 1));
      }
      if (!cursor.equals(accounts)) {
        assertMisuse(() -> reads.accounts(AccountQuery.all(1).from(cursor)));
      }
    }
  }

  private static void assertMisuse(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("cursor");
  }

  private static void assertSameFailure(Runnable call, Runnable reference) {
    assertThat(failure(call)).isEqualTo(failure(reference)).isNotNull();
  }

  private static String failure(Runnable call) {
    try {
      call.run();
      return null;
    } catch (MisuseException e) {
      return e.getMessage();
    }
  }

  private static <T> List<T> all(Function<String, Page<T>> read) {
    List<T> items = new ArrayList<>();
    String cursor = null;
    do {
      Page<T> page = read.apply(cursor);
      items.addAll(page.items());
      cursor = page.next();
    } while (cursor != null);
    return items;
  }
}
