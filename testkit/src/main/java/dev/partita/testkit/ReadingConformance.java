package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.partita.AccountBalance;
import dev.partita.AssetCode;
import dev.partita.BalanceReading;
import dev.partita.Counters;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Page;
import dev.partita.Side;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TrialBalance;
import dev.partita.UnknownAccountException;
import dev.partita.VerifyReport;
import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reading: balances now and then, statements, finding, holds, journal, trial balance, verify. */
abstract class ReadingConformance extends Conformance {

  @Test
  void readsABalanceAsRecordedAtAnyMicrosecond() {
    given("clock +10s");
    givenAccounts("A", "B");
    given("clock +20s", "direct T1 A→B 5");
    given("clock +20000001us", "pending H1 A→B 7");
    given("clock +30s", "post P1 H1 3", "direct T2 A→B 1");

    assertThat(asRecorded("A", after(10))).isEqualTo(state("A", 0, 0, 0));
    assertThat(asRecorded("A", after(20).minus(1, ChronoUnit.MICROS)))
        .isEqualTo(state("A", 0, 0, 0));
    assertThat(asRecorded("A", after(20))).isEqualTo(state("A", 1, 5, 0));
    assertThat(asRecorded("A", after(20).plus(1, ChronoUnit.MICROS)))
        .isEqualTo(state("A", 2, 5, 7));
    assertThat(asRecorded("A", after(30).minus(1, ChronoUnit.MICROS)))
        .isEqualTo(state("A", 2, 5, 7));
    assertThat(asRecorded("A", after(30))).isEqualTo(state("A", 4, 9, 0));
    assertThat(ledger.balance(account("A")).state()).isEqualTo(state("A", 4, 9, 0));
  }

  @Test
  void refusesABalanceAsRecordedBeforeTheOpening() {
    given("clock +10s");
    givenAccounts("A");

    misuse(() -> ledger.balanceAsRecorded(account("A"), before(10)));
    misuse(() -> ledger.balanceAsEffective(account("A"), after(10), before(10)));
    assertThat(asRecorded("A", after(10)).version()).isZero();
  }

  @Test
  void refusesABalanceAsRecordedLaterThanBothTheClockAndTheLastRecord() {
    givenAccounts("A", "B");
    given("clock +20s", "direct T1 A→B 5");

    misuse(() -> ledger.balanceAsRecorded(account("A"), after(20).plus(1, ChronoUnit.MICROS)));
    misuse(() -> ledger.balanceAsEffective(account("A"), after(9), after(21)));
    given("clock +30s");
    assertThat(asRecorded("A", after(30)).version()).isEqualTo(1);
    misuse(() -> ledger.balanceAsRecorded(account("A"), after(31)));
    given("clock +5s");
    assertThat(asRecorded("A", after(20)).version()).isEqualTo(1);
    assertThat(asRecorded("A", after(19)).version()).isZero();
    misuse(() -> ledger.balanceAsRecorded(account("A"), after(21)));
  }

  @Test
  void sumsWhatCountsForAnEffectiveInstantInclusive() {
    givenAccounts("A", "B");
    given(
        "clock +100s", "direct T1 A→B 1 at +50s", "direct T2 A→B 10", "direct T3 B→A 100 at +500s");

    assertThat(asEffective("A", before(50))).isEqualTo(sums(0, 0));
    assertThat(asEffective("A", after(50))).isEqualTo(sums(1, 0));
    assertThat(asEffective("A", before(100))).isEqualTo(sums(1, 0));
    assertThat(asEffective("A", after(100))).isEqualTo(sums(11, 0));
    assertThat(asEffective("A", before(500))).isEqualTo(sums(11, 0));
    assertThat(asEffective("A", after(500))).isEqualTo(sums(11, 100));
    EffectiveReading reading = ledger.balanceAsEffective(account("B"), after(500));
    assertThat(reading.balance()).isEqualTo(balance(-89));
    assertThat(reading.account()).isEqualTo(account("B"));
    assertThat(reading.asset()).isEqualTo(EUR);
    assertThat(reading.normal()).isEqualTo(Side.CREDIT);
  }

  @Test
  void answersForEffectiveTimesBeforeTheOpening() {
    given("clock +100s", "open A EUR debit", "open B EUR");
    given(
        "direct T1 A→B 5 at 0001-01-01T00:00:00Z",
        "direct T2 A→B 7 at 9999-12-31T23:59:59.999999Z");

    assertThat(ledger.balanceAsEffective(account("A"), after(0)).balance()).isEqualTo(balance(5));
    assertThat(ledger.balanceAsEffective(account("A"), after(200)).balance()).isEqualTo(balance(5));
    assertThat(asEffective("A", Instant.parse("0000-12-31T23:59:59.999999Z")))
        .isEqualTo(sums(0, 0));
    assertThat(asEffective("A", Instant.parse("9999-12-31T23:59:59.999999Z")))
        .isEqualTo(sums(12, 0));
  }

  @Test
  void countsPostedAmountsOnlyAsEffective() {
    givenAccounts("A", "B");
    given("pending H1 A→B 100 at +1s");
    assertThat(asEffective("A", after(9))).isEqualTo(sums(0, 0));

    given("post P1 H1 60 keep at +2s", "void V1 H1 at +3s", "reverse R1 P1 10 at +4s");
    assertThat(asEffective("A", before(2))).isEqualTo(sums(0, 0));
    assertThat(asEffective("A", after(2))).isEqualTo(sums(60, 0));
    assertThat(asEffective("A", after(4))).isEqualTo(sums(60, 10));
  }

  @Test
  void knowsAsEffectiveWhatWasRecordedByThen() {
    givenAccounts("A", "B");
    given("clock +10s", "direct T1 A→B 1 at +5s");
    given("clock +20s", "direct T2 A→B 10 at +5s");
    given("clock +30s", "direct T3 A→B 100 at +5s");

    assertThat(asEffective("A", after(5), before(10))).isEqualTo(sums(0, 0));
    assertThat(asEffective("A", after(5), after(10))).isEqualTo(sums(1, 0));
    assertThat(asEffective("A", after(5), after(20))).isEqualTo(sums(11, 0));
    assertThat(asEffective("A", after(5), after(30))).isEqualTo(sums(111, 0));
    assertThat(asEffective("A", before(5), after(30))).isEqualTo(sums(0, 0));
  }

  @Test
  void neverAffectsCountersLimitsOrOrderByAnEffectiveTime() {
    given("open A EUR min 0", "open B EUR");
    given("direct T1 B→A 5 at 9999-01-01T00:00:00Z", "direct T2 A→B 5 at 0001-01-01T00:00:00Z");

    assertThat(balanceOf("A")).isEqualTo(balance(0));
    assertThat(
            ledger
                .balanceAsEffective(account("A"), Instant.parse("2000-01-01T00:00:00Z"))
                .balance())
        .isEqualTo(balance(-5));
    assertThat(lines("A")).containsExactly(id("T1"), id("T2"));
  }

  @Test
  void neverChangesAnAnswerUpToTheInstantUntilWhichItIsSettled() {
    givenAccounts("A", "B");
    given("clock +10s", "direct T1 A→B 1");
    BalanceReading now = ledger.balance(account("A"));
    Instant settled = now.settledUntil();
    Instant asked = settled.isBefore(START) ? START : settled;
    AccountBalance then = asRecorded("A", asked);

    given("direct T2 A→B 10");
    if (!settled.isBefore(START)) {
      assertThat(asRecorded("A", settled)).isEqualTo(then);
    }
    given("clock +3600s");
    assertThat(ledger.balance(account("A")).settledUntil()).isAfterOrEqualTo(after(10));
    given("direct T3 A→B 100");
    assertThat(asRecorded("A", after(10))).isEqualTo(state("A", 2, 11, 0));
    assertThat(ledger.balanceAsRecorded(account("A"), after(10)).settledUntil())
        .isAfterOrEqualTo(after(10));
    assertThat(ledger.balanceAsEffective(account("A"), after(10)).settledUntil())
        .isAfterOrEqualTo(after(10));
  }

  @Test
  void saysThatAnAccountIsUnknown() {
    for (Runnable read :
        List.<Runnable>of(
            () -> ledger.balance(account("X")),
            () -> ledger.balanceAsRecorded(account("X"), START),
            () -> ledger.balanceAsEffective(account("X"), START),
            () -> ledger.balanceAsEffective(account("X"), START, START),
            () -> ledger.statement(StatementQuery.oldestFirst(account("X"), 1)),
            () -> ledger.find(TransferQuery.account(account("X"), 1)),
            () -> ledger.holds(HoldQuery.account(account("X"), 1)))) {
      assertThat(misuse(read::run)).isInstanceOf(UnknownAccountException.class);
    }
    assertThat(ledger.account(account("X"))).isEmpty();
  }

  @Test
  void showsTheTwoEntriesOfEveryRecordOnTheirStatements() {
    givenAccounts("A", "B", "C");
    given("direct T1 A→B 5", "pending H1 C→A 7", "void V1 H1");

    List<Entry> lines = ledger.statement(StatementQuery.oldestFirst(account("A"), 9)).items();

    assertThat(lines)
        .extracting(Entry::version, e -> e.transfer().id(), Entry::side, Entry::counterparty)
        .containsExactly(
            tuple(1L, id("T1"), Side.DEBIT, account("B")),
            tuple(2L, id("H1"), Side.CREDIT, account("C")),
            tuple(3L, id("V1"), Side.CREDIT, account("C")));
    assertThat(lines).extracting(line -> line.after().balance()).containsOnly(balance(-5));
    assertThat(lines.get(1).after().expected()).isEqualTo(amount(7));
    assertThat(lines.get(1).transfer()).isEqualTo(transfer("H1"));
  }

  @Test
  void looksUpTransfersInTheOrderAskedFor() {
    givenAccounts("A", "B");
    given("direct T1 A→B 1", "direct T2 A→B 1", "direct T3 A→B 1");

    assertThat(ids(ledger.transfers(ids("T3", "X", "T1", "T2"))))
        .containsExactly(id("T3"), id("T1"), id("T2"));
    assertThat(ledger.transfers(List.of())).isEmpty();
    assertThat(ledger.transfer(id("X"))).isEmpty();
    assertThat(ledger.transfer(new UUID(0, 0))).isEmpty();
    misuse(
        () ->
            ledger.transfers(
                Stream.iterate(0, i -> i + 1).limit(10_001).map(i -> new UUID(1, i)).toList()));
  }

  @Test
  void findsTransfersByEachCriterionAndByAllTogether() {
    givenAccounts("A", "B", "C");
    given("direct T1 A→B 1 ref r code 1", "clock +10s", "direct T2 B→C 1 ref r code 2");
    given("pending H1 A→B 9 ref r code 1", "clock +20s", "post P1 H1 2 keep");
    given("post P2 H1 2 keep ref s code 3", "reverse R1 P1 ref r", "clock +30s", "void V1 H1");

    assertThat(found(TransferQuery.reference("r", 9)))
        .containsExactly(id("T1"), id("T2"), id("H1"), id("P1"), id("R1"), id("V1"));
    assertThat(found(TransferQuery.reference("R", 9))).isEmpty();
    assertThat(found(TransferQuery.reference("r", 9).code(1)))
        .containsExactly(id("T1"), id("H1"), id("P1"), id("V1"));
    assertThat(found(TransferQuery.reference("r", 9).recorded(after(10), after(20))))
        .containsExactly(id("T2"), id("H1"), id("P1"), id("R1"));
    assertThat(found(TransferQuery.reference("r", 9).recorded(null, before(10))))
        .containsExactly(id("T1"));
    assertThat(found(TransferQuery.reference("r", 9).recorded(after(30), null)))
        .containsExactly(id("V1"));
    assertThat(found(TransferQuery.related(id("H1"), 9)))
        .containsExactly(id("P1"), id("P2"), id("V1"));
    assertThat(found(TransferQuery.related(id("P1"), 9))).containsExactly(id("R1"));
    assertThat(found(TransferQuery.related(id("X"), 9))).isEmpty();
    assertThat(found(TransferQuery.account(account("C"), 9))).containsExactly(id("T2"));
    assertThat(found(TransferQuery.account(account("A"), 9).code(0))).containsExactly(id("R1"));
    assertThat(found(TransferQuery.between(after(10), after(20), 9)))
        .containsExactly(id("T2"), id("H1"), id("P1"), id("P2"), id("R1"));
    assertThat(found(TransferQuery.between(after(10), after(20), 9).code(3)))
        .containsExactly(id("P2"));
    assertThat(
            found(
                new TransferQuery(
                    "r", null, id("H1"), account("A"), 1, after(0), after(25), null, 9)))
        .containsExactly(id("P1"));
    assertThat(
            found(new TransferQuery("r", null, id("H1"), account("C"), null, null, null, null, 9)))
        .isEmpty();
  }

  @Test
  void findsTheMembersOfAGroupInTheirOrder() {
    givenAccounts("A", "B");
    given("direct T0 A→B 1");
    ledger.post(
        ScenarioText.group(
            "group G", List.of(direct("T3", "A", "B", 1), direct("T1", "B", "A", 1))));
    given("direct T4 A→B 1");

    assertThat(found(TransferQuery.group(id("G"), 9))).containsExactly(id("T3"), id("T1"));
    assertThat(found(TransferQuery.group(id("T0"), 9))).isEmpty();
  }

  @Test
  void findsAnExpiryUnderTheReferenceOfItsHold() {
    givenAccounts("A", "B");
    given("pending H1 A→B 9 ref r timeout 1", "clock +1s", "expire 9");

    assertThat(found(TransferQuery.reference("r", 9)))
        .containsExactly(id("H1"), DerivedIds.expiryOf(id("H1")));
  }

  @Test
  void listsOpenHoldsByAccountAssetAndDeadline() {
    givenAccounts("A", "B", "C");
    given("open U USD", "open V USD");
    given("pending H1 A→B 1 timeout 30", "pending H2 B→C 2", "pending H3 U→V 3 in USD timeout 10");
    given("pending H4 C→A 4 timeout 20", "pending H5 A→C 5", "void V5 H5", "post P4 H4 1 keep");

    assertThat(held(HoldQuery.all(9))).containsExactly(id("H1"), id("H2"), id("H3"), id("H4"));
    assertThat(held(HoldQuery.account(account("A"), 9))).containsExactly(id("H1"), id("H4"));
    assertThat(held(new HoldQuery(null, USD, null, null, 9))).containsExactly(id("H3"));
    assertThat(held(new HoldQuery(null, null, after(20), null, 9)))
        .containsExactly(id("H3"), id("H4"));
    assertThat(held(new HoldQuery(null, null, before(20), null, 9))).containsExactly(id("H3"));
    assertThat(held(new HoldQuery(account("A"), EUR, after(20), null, 9)))
        .containsExactly(id("H4"));
    assertThat(ledger.holds(HoldQuery.account(account("C"), 9)).items())
        .containsExactly(new Hold(transfer("H2"), amount(2)), new Hold(transfer("H4"), amount(3)));
    assertThat(held(new HoldQuery(null, new AssetCode("GBP"), null, null, 9))).isEmpty();
  }

  @Test
  void showsTheWholeLedgerAsAJournal() {
    givenAccounts("A", "B", "C");
    Page<Transfer> empty = ledger.journal(null, 10);
    assertThat(empty.items()).isEmpty();
    given("direct T1 A→B 1", "pending H1 B→C 1", "void V1 H1", "direct T2 C→A 1");

    Page<Transfer> page = ledger.journal(null, 3);
    assertThat(page.items()).containsExactly(transfer("T1"), transfer("H1"), transfer("V1"));
    Page<Transfer> rest = ledger.journal(page.next(), 3);
    assertThat(rest.items()).containsExactly(transfer("T2"));
    given("direct T3 C→A 1");
    assertThat(ids(ledger.journal(rest.next(), 3).items())).containsExactly(id("T3"));
    assertThat(ids(ledger.journal(empty.next(), 10).items())).hasSize(5);
  }

  @Test
  void drawsTheTrialBalanceByAssetCodeAndNormalSide() {
    given("clock +7s");
    assertThat(ledger.trialBalance().lines()).isEmpty();
    given(
        "open A EUR code 2", "open B EUR code 2", "open C EUR code 10", "open D EUR debit code 2");
    given("open U USD", "open V USD");
    given("direct T1 D→A 5", "direct T2 A→B 3", "pending H1 D→C 7", "direct T3 U→V 9 in USD");

    TrialBalance trial = ledger.trialBalance();

    assertThat(trial.lines())
        .containsExactly(
            line(EUR, 2, Side.DEBIT, 1, 5, 0, 7, 0),
            line(EUR, 2, Side.CREDIT, 2, 3, 8, 0, 0),
            line(EUR, 10, Side.CREDIT, 1, 0, 0, 0, 7),
            line(USD, 0, Side.CREDIT, 2, 9, 9, 0, 0));
    assertThat(trial.balanced()).isTrue();
    assertThat(trial.takenAt()).isEqualTo(after(7));
  }

  @Test
  void sumsMoreInTheTrialBalanceThanAnAmountCanHold() {
    givenAccounts("A", "B", "C", "D");
    given("direct T1 A→B max", "direct T2 C→D max");

    BigInteger twice = BigInteger.TWO.pow(128).subtract(BigInteger.TWO);
    assertThat(ledger.trialBalance().lines())
        .containsExactly(
            new TrialBalance.Line(
                EUR, 0, Side.CREDIT, 4, twice, twice, BigInteger.ZERO, BigInteger.ZERO));
  }

  @Test
  void verifiesEverythingAndTellsHowFarItIs() {
    givenAccounts("A", "B");
    given("direct T1 A→B 5", "pending H1 A→B 7", "void V1 H1", "change A min -5");
    AtomicLong done = new AtomicLong(-1);

    VerifyReport report = ledger.verify((at, total) -> done.set(at));

    assertThat(report.violations()).isEmpty();
    assertThat(report.clean()).isTrue();
    assertThat(report.accounts()).isEqualTo(2);
    assertThat(report.transfers()).isEqualTo(3);
    assertThat(report.position()).isNotBlank();
    assertThat(done.get()).isPositive();
  }

  private AccountBalance asRecorded(String account, Instant at) {
    return ledger.balanceAsRecorded(account(account), at).state();
  }

  /** An account of EUR, normal CREDIT, that was debited only. */
  private static AccountBalance state(String account, long version, long debits, long pending) {
    return new AccountBalance(
        account(account),
        EUR,
        Side.CREDIT,
        version,
        new Counters(amount(debits), amount(0), amount(pending), amount(0)));
  }

  private AuditorReads.Effective asEffective(String account, Instant at) {
    EffectiveReading reading = ledger.balanceAsEffective(account(account), at);
    return new AuditorReads.Effective(reading.debits(), reading.credits());
  }

  private AuditorReads.Effective asEffective(String account, Instant at, Instant knownAt) {
    EffectiveReading reading = ledger.balanceAsEffective(account(account), at, knownAt);
    return new AuditorReads.Effective(reading.debits(), reading.credits());
  }

  private static AuditorReads.Effective sums(long debits, long credits) {
    return new AuditorReads.Effective(amount(debits), amount(credits));
  }

  private static Instant before(long seconds) {
    return after(seconds).minus(1, ChronoUnit.MICROS);
  }

  private List<UUID> lines(String account) {
    return ledger.statement(StatementQuery.oldestFirst(account(account), PAGE_MAX)).items().stream()
        .map(entry -> entry.transfer().id())
        .toList();
  }

  private List<UUID> found(TransferQuery query) {
    return ids(ledger.find(query).items());
  }

  private List<UUID> held(HoldQuery query) {
    return ledger.holds(query).items().stream().map(Hold::id).toList();
  }

  private static TrialBalance.Line line(
      AssetCode asset, int code, Side normal, long accounts, long... sums) {
    return new TrialBalance.Line(
        asset,
        code,
        normal,
        accounts,
        BigInteger.valueOf(sums[0]),
        BigInteger.valueOf(sums[1]),
        BigInteger.valueOf(sums[2]),
        BigInteger.valueOf(sums[3]));
  }
}
