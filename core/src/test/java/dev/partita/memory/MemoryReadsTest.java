package dev.partita.memory;

import static dev.partita.memory.LedgerFixture.ALICE;
import static dev.partita.memory.LedgerFixture.BANK;
import static dev.partita.memory.LedgerFixture.BOB;
import static dev.partita.memory.LedgerFixture.EUR;
import static dev.partita.memory.LedgerFixture.FEES;
import static dev.partita.memory.LedgerFixture.START;
import static dev.partita.memory.LedgerFixture.direct;
import static dev.partita.memory.LedgerFixture.id;
import static dev.partita.memory.LedgerFixture.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.HoldQuery;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.Page;
import dev.partita.Side;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import dev.partita.TrialBalance;
import dev.partita.UnknownAccountException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryReadsTest {

  private static final AccountId NOBODY = AccountId.of("nobody");

  private final LedgerFixture fixture = new LedgerFixture();
  private final InMemoryLedger ledger = fixture.ledger;

  @Test
  void readsAsRecorded() {
    ledger.post(direct("one", BANK, ALICE, 100));
    fixture.advance(Duration.ofSeconds(10));
    ledger.post(pending("two", ALICE, BOB, 30));
    ledger.post(direct("three", ALICE, BOB, 5));

    Instant second = START.plusSeconds(10);
    assertThat(version(START)).isEqualTo(1);
    assertThat(version(second.minusNanos(1))).isEqualTo(1);
    assertThat(version(second)).isEqualTo(3);
    BalanceReading now = ledger.balance(ALICE);
    assertThat(ledger.balanceAsRecorded(ALICE, second)).isEqualTo(now);
    assertThat(now.balance()).isEqualTo(Balance.ofMinor(95));
    assertThat(now.state().held().toBigInteger()).isEqualTo(30);
    assertThat(now.settledUntil()).isEqualTo(second.minusNanos(1_000));
    requireMisuse("recordedAt", () -> ledger.balanceAsRecorded(ALICE, START.minusNanos(1)));
    requireMisuse("recordedAt", () -> ledger.balanceAsRecorded(ALICE, second.plusNanos(1_000)));
    assertThatExceptionOfType(UnknownAccountException.class)
        .isThrownBy(() -> ledger.balanceAsRecorded(NOBODY, START));

    fixture.at(START.plusSeconds(5));
    assertThat(version(second)).isEqualTo(3);
    assertThat(ledger.balance(ALICE).settledUntil()).isEqualTo(second.minusNanos(1_000));
    requireMisuse("recordedAt", () -> ledger.balanceAsRecorded(FEES, second));
    fixture.at(START.plusSeconds(20));
    assertThat(ledger.balance(ALICE).settledUntil())
        .isEqualTo(START.plusSeconds(20).minusNanos(1_000));
  }

  private long version(Instant recordedAt) {
    return ledger.balanceAsRecorded(ALICE, recordedAt).state().version();
  }

  @Test
  void readsAsEffectiveAndAsKnown() {
    Instant year = Instant.parse("2020-01-01T00:00:00Z");
    ledger.post(direct("old", BANK, ALICE, 100).effectiveAt(year));
    fixture.advance(Duration.ofSeconds(10));
    ledger.post(direct("older", BANK, ALICE, 10).effectiveAt(year.minusSeconds(1)));
    ledger.post(direct("now", ALICE, BOB, 1));
    ledger.post(pending("held", ALICE, BOB, 7));
    ledger.post(direct("ahead", ALICE, BOB, 2).effectiveAt(START.plusSeconds(99)));

    assertThat(effective(year.minusSeconds(2))).isEqualTo(0);
    assertThat(effective(year.minusSeconds(1))).isEqualTo(10);
    assertThat(effective(year)).isEqualTo(110);
    assertThat(effective(START.plusSeconds(10))).isEqualTo(109);
    assertThat(effective(START.plusSeconds(99))).isEqualTo(107);
    assertThat(effective(Instant.MAX)).isEqualTo(107);
    assertThat(effective(Instant.MIN)).isEqualTo(0);
    EffectiveReading early = ledger.balanceAsEffective(ALICE, Instant.MAX, START.plusSeconds(9));
    assertThat(early.balance()).isEqualTo(Balance.ofMinor(100));
    assertThat(early.normal()).isEqualTo(Side.CREDIT);
    assertThat(early.settledUntil()).isEqualTo(START.plusSeconds(10).minusNanos(1_000));
    requireMisuse("knownAt", () -> ledger.balanceAsEffective(ALICE, year, START.minusNanos(1)));
    requireMisuse("knownAt", () -> ledger.balanceAsEffective(ALICE, year, START.plusSeconds(11)));
  }

  private int effective(Instant at) {
    return ledger.balanceAsEffective(ALICE, at).balance().toBigInteger().intValueExact();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100})
  void pagesStatementsBothWaysWhileWritersGoOn(int limit) {
    for (int i = 0; i < 12; i++) {
      ledger.post(direct("t" + i, BANK, ALICE, i));
    }
    List<Long> rising = versions(StatementQuery.oldestFirst(ALICE, limit));
    assertThat(rising).startsWith(LongStream.rangeClosed(1, 12).boxed().toArray(Long[]::new));
    assertThat(rising).isSorted().doesNotHaveDuplicates();
    long last = ledger.balance(ALICE).state().version();
    assertThat(versions(StatementQuery.newestFirst(ALICE, limit)))
        .isEqualTo(LongStream.rangeClosed(1, last).boxed().toList().reversed());
    assertThat(ledger.statement(StatementQuery.newestFirst(FEES, limit)))
        .isEqualTo(new Page<Entry>(List.of(), null));
  }

  private List<Long> versions(StatementQuery query) {
    List<Long> versions = new ArrayList<>();
    String cursor = null;
    int written = 0;
    do {
      Page<Entry> page = ledger.statement(query.from(cursor));
      page.items().forEach(line -> versions.add(line.version()));
      cursor = page.next();
      if (written++ < 3) {
        ledger.post(direct("w" + query + cursor, BANK, ALICE, 1));
      }
    } while (cursor != null);
    return versions;
  }

  @Test
  void readsTheJournalToItsEndAndOn() {
    Page<Transfer> empty = ledger.journal(null, 10);
    assertThat(empty.items()).isEmpty();
    fixture.lively();
    List<Transfer> all = ledger.journal(empty.next(), 10_000).items();
    assertThat(all).isEqualTo(ledger.journal(null, 10_000).items()).hasSizeGreaterThan(10);
    List<Transfer> paged = new ArrayList<>();
    Page<Transfer> page = ledger.journal(null, 4);
    while (!page.items().isEmpty()) {
      paged.addAll(page.items());
      assertThat(page.next()).isNotNull();
      page = ledger.journal(page.next(), 4);
    }
    assertThat(paged).isEqualTo(all);
    ledger.post(direct("more", BANK, ALICE, 1));
    assertThat(ledger.journal(page.next(), 4).items())
        .extracting(Transfer::id)
        .containsExactly(id("more"));
  }

  @Test
  void findsTransfers() {
    fixture.lively();
    List<Transfer> all = ledger.journal(null, 10_000).items();
    Instant from = START.plusSeconds(1);
    Instant to = START.plusSeconds(2);
    requireFinds(all, TransferQuery.reference("order-1", 1), t -> "order-1".equals(t.reference()));
    requireFinds(
        all,
        TransferQuery.group(id("group"), 2),
        t -> t.group() != null && t.group().id().equals(id("group")));
    requireFinds(
        all, TransferQuery.related(id("hold-1"), 1), t -> id("hold-1").equals(t.relatedId()));
    requireFinds(all, TransferQuery.account(BOB, 3), t -> isOn(t, BOB));
    requireFinds(
        all,
        TransferQuery.account(BOB, 1).recorded(from, null),
        t -> isOn(t, BOB) && !t.recordedAt().isBefore(from));
    requireFinds(
        all,
        TransferQuery.between(from, to, 2),
        t -> !t.recordedAt().isBefore(from) && !t.recordedAt().isAfter(to));
    requireFinds(all, TransferQuery.account(FEES, 5).code(9), t -> isOn(t, FEES) && t.code() == 9);
    assertThat(ledger.find(TransferQuery.reference("nothing", 5)).items()).isEmpty();
    assertThatExceptionOfType(UnknownAccountException.class)
        .isThrownBy(() -> ledger.find(TransferQuery.account(NOBODY, 5)));
    assertThat(ledger.transfers(List.of(id("g-1"), id("nothing"), id("deposit"))))
        .extracting(Transfer::id)
        .containsExactly(id("g-1"), id("deposit"));
    assertThat(ledger.transfer(id("nothing"))).isEmpty();
  }

  private void requireFinds(List<Transfer> all, TransferQuery query, Predicate<Transfer> expected) {
    assertThat(pages(cursor -> ledger.find(query.from(cursor))))
        .isEqualTo(all.stream().filter(expected).toList());
  }

  private static boolean isOn(Transfer transfer, AccountId account) {
    return transfer.debit().equals(account) || transfer.credit().equals(account);
  }

  @Test
  void listsOpenHolds() {
    ledger.post(direct("deposit", BANK, ALICE, 10_000));
    ledger.post(pending("a", ALICE, BOB, 10).timeoutSeconds(10));
    ledger.post(pending("b", ALICE, FEES, 20).timeoutSeconds(20));
    ledger.post(pending("c", ALICE, BOB, 30));
    ledger.post(pending("d", BANK, BOB, 40));
    ledger.post(
        TransferRequest.capture(id("e"), id("a"))
            .amount(LedgerFixture.cents(4))
            .keepRemainder(true));
    ledger.post(TransferRequest.voiding(id("f"), id("c")));

    assertThat(holds(HoldQuery.all(1))).containsExactly("6", "20", "40");
    assertThat(holds(HoldQuery.account(BOB, 1))).containsExactly("6", "40");
    assertThat(holds(new HoldQuery(null, EUR, START.plusSeconds(20), null, 1)))
        .containsExactly("6", "20");
    assertThat(holds(new HoldQuery(null, null, START.plusSeconds(19), null, 1)))
        .containsExactly("6");
    assertThat(holds(new HoldQuery(null, new AssetCode("BTC"), null, null, 1))).isEmpty();
    assertThatExceptionOfType(UnknownAccountException.class)
        .isThrownBy(() -> ledger.holds(HoldQuery.account(NOBODY, 1)));
  }

  private List<String> holds(HoldQuery query) {
    return pages(cursor -> ledger.holds(query.from(cursor))).stream()
        .map(hold -> hold.remaining().toString())
        .toList();
  }

  @Test
  void listsAccounts() {
    ledger.open(
        List.of(
            NewAccount.of("user", "EUR"),
            NewAccount.of("user-x", "BTC"),
            NewAccount.of("user:alice:btc", "BTC").code(2)));
    assertThat(accounts(AccountQuery.all(2)))
        .containsExactly(
            "bank", "fees", "user", "user-x", "user:alice", "user:alice:btc", "user:bob");
    assertThat(accounts(AccountQuery.prefix("user:", 1)))
        .containsExactly("user:alice", "user:alice:btc", "user:bob");
    assertThat(accounts(AccountQuery.prefix("user:alice", 1)))
        .containsExactly("user:alice", "user:alice:btc");
    assertThat(accounts(new AccountQuery(null, new AssetCode("BTC"), null, null, 1)))
        .containsExactly("user-x", "user:alice:btc");
    assertThat(accounts(new AccountQuery("user", EUR, 2, null, 1)))
        .containsExactly("user:alice", "user:bob");
    assertThat(accounts(AccountQuery.prefix("zoo", 1))).isEmpty();
  }

  private List<String> accounts(AccountQuery query) {
    return pages(cursor -> ledger.accounts(query.from(cursor))).stream()
        .map(Account::id)
        .map(AccountId::value)
        .toList();
  }

  @Test
  void listsChanges() {
    for (int i = 1; i <= 5; i++) {
      ledger.change(ChangeRequest.of(BOB).maxBalance(Balance.ofMinor(i)));
    }
    assertThat(pages(cursor -> ledger.changes(BOB, cursor, 2)))
        .extracting(AccountChange::number)
        .containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(ledger.changes(ALICE, null, 1).items()).isEmpty();
    assertThatExceptionOfType(UnknownAccountException.class)
        .isThrownBy(() -> ledger.changes(NOBODY, null, 1));
  }

  @Test
  void addsTheTrialBalanceUp() {
    ledger.post(direct("one", BANK, ALICE, 100));
    ledger.post(pending("two", ALICE, BOB, 30));
    assertThat(ledger.trialBalance())
        .isEqualTo(
            new TrialBalance(
                List.of(
                    line(1, Side.DEBIT, 1, 100, 0, 0, 0),
                    line(2, Side.CREDIT, 2, 0, 100, 30, 30),
                    line(3, Side.CREDIT, 1, 0, 0, 0, 0)),
                START));
  }

  private static TrialBalance.Line line(
      int code, Side normal, int accounts, int debits, int credits, int held, int expected) {
    return new TrialBalance.Line(
        EUR,
        code,
        normal,
        accounts,
        BigInteger.valueOf(debits),
        BigInteger.valueOf(credits),
        BigInteger.valueOf(held),
        BigInteger.valueOf(expected));
  }

  @Test
  void refusesCursorsOfOtherQuestions() {
    fixture.lively();
    String journal = ledger.journal(null, 1).next();
    String statement = ledger.statement(StatementQuery.newestFirst(ALICE, 1)).next();
    String find = ledger.find(TransferQuery.account(ALICE, 1)).next();
    Stream.<Runnable>of(
            () -> ledger.journal(statement, 1),
            () -> ledger.journal("nonsense", 1),
            () -> ledger.statement(StatementQuery.newestFirst(BOB, 1).from(statement)),
            () -> ledger.statement(StatementQuery.oldestFirst(ALICE, 1).from(statement)),
            () -> ledger.find(TransferQuery.account(ALICE, 1).code(7).from(find)),
            () -> ledger.find(TransferQuery.account(BOB, 1).from(find)),
            () -> ledger.holds(HoldQuery.all(1).from(journal)),
            () -> ledger.accounts(AccountQuery.all(1).from(journal)),
            () -> ledger.changes(BOB, journal, 1),
            () -> new LedgerFixture().ledger.journal(journal, 1),
            () -> new LedgerFixture().ledger.find(TransferQuery.account(ALICE, 1).from(find)))
        .forEach(read -> requireMisuse("cursor", read));
    assertThat(ledger.find(TransferQuery.account(ALICE, 9).from(find)).items()).isNotEmpty();
  }

  private static <T> List<T> pages(Function<String, Page<T>> read) {
    List<T> items = new ArrayList<>();
    String cursor = null;
    do {
      Page<T> page = read.apply(cursor);
      assertThat(page.items().isEmpty() && (cursor != null || page.next() != null)).isFalse();
      items.addAll(page.items());
      cursor = page.next();
    } while (cursor != null);
    return items;
  }

  private static void requireMisuse(String field, Runnable read) {
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(read::run)
        .satisfies(misuse -> assertThat(misuse.field()).isEqualTo(field));
  }
}
