package dev.partita.memory;

import static dev.partita.memory.LedgerFixture.ALICE;
import static dev.partita.memory.LedgerFixture.BOB;
import static dev.partita.memory.LedgerFixture.FEES;
import static dev.partita.memory.LedgerFixture.cents;
import static dev.partita.memory.LedgerFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.Hold;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.Progress;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.VerifyReport;
import dev.partita.VerifyReport.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Breaks sound books in one place at a time. */
class MemoryVerifierTest {

  private static final AssetCode BTC = new AssetCode("BTC");

  private final MemorySnapshot sound = snapshot();

  @Test
  void findsNothingInSoundBooks() {
    List<Long> reports = new ArrayList<>();
    VerifyReport report =
        MemoryVerifier.verify(sound, (done, total) -> reports.add(done * 1_000 + total));
    assertThat(report.violations()).isEmpty();
    assertThat(report.clean()).isTrue();
    assertThat(report.accounts()).isEqualTo(4);
    assertThat(report.transfers()).isEqualTo(sound.journal().size());
    long total = sound.journal().size();
    assertThat(reports).containsExactly(total * 1_000 + total);
  }

  @ParameterizedTest(name = "{0}: invariant {1}")
  @MethodSource
  void findsWhatIsBroken(String what, int invariant, UnaryOperator<MemorySnapshot> damage) {
    MemorySnapshot damaged = damage.apply(sound);
    assertThat(damaged).isNotEqualTo(sound);
    List<Violation> violations = MemoryVerifier.verify(damaged, Progress.NONE).violations();
    assertThat(violations).as(what).extracting(Violation::invariant).contains(invariant);
  }

  static Stream<Arguments> findsWhatIsBroken() {
    return Stream.of(
        broken("an account shows a cent more", 1, s -> counters(s, FEES, posted(1, 0))),
        broken("an account shows a cent more held", 1, s -> counters(s, ALICE, pending(1))),
        broken("an account shows a cent more", 2, s -> counters(s, FEES, posted(1, 0))),
        broken("both sides grow, the last record stays", 2, s -> counters(s, FEES, posted(1, 1))),
        broken("an account shows more held", 2, s -> counters(s, ALICE, pending(5))),
        broken("an account is a version ahead", 2, s -> account(s, FEES, b -> ahead(b))),
        broken("an open hold is not listed", 2, s -> holds(s, List.of())),
        broken("a hold remains with less", 2, s -> holds(s, s.openHolds(), cents(799))),
        broken("an ended hold is listed", 2, MemoryVerifierTest::listEndedHold),
        broken("a line is missing", 2, s -> lines(s, l -> l.subList(0, l.size() - 1))),
        broken("two lines are swapped", 2, s -> lines(s, List::reversed)),
        broken("the last record is lost", 2, s -> journal(s, j -> j.subList(0, j.size() - 1))),
        broken("a record is lost", 3, s -> journal(s, j -> without(j, "capture-1"))),
        broken("a version is skipped", 3, s -> record(s, "refund", r -> after(r, ahead(r)))),
        broken("a counter jumps", 3, s -> record(s, "refund", MemoryVerifierTest::jump)),
        broken("an amount is changed", 3, s -> record(s, "g-3", r -> amount(r, cents(31)))),
        broken("a DIRECT releases", 3, s -> record(s, "g-3", r -> released(r, cents(1)))),
        broken("the limit was lower", 4, s -> opened(s, ALICE, limits(9_000, null))),
        broken("the limit was lower", 4, s -> opened(s, BOB, limits(null, 3_999))),
        broken("a change came earlier", 4, MemoryVerifierTest::tightenBob),
        broken("a hold is unknown", 5, s -> request(s, "void-2", r -> void2(id("nothing")))),
        broken("a DIRECT is voided", 5, s -> request(s, "void-2", r -> void2(id("deposit")))),
        broken("a hold is ended twice", 5, s -> request(s, "void-2", r -> void2(id("g-1")))),
        broken("a later hold is voided", 5, s -> request(s, "void-2", r -> void2(id("hold-3")))),
        broken("a void leaves some", 5, s -> record(s, "void-2", r -> amount(r, cents(699)))),
        broken("a void does not end", 5, s -> record(s, "void-2", r -> last(r, false))),
        broken("a kept capture ends", 5, s -> record(s, "capture-1", r -> last(r, true))),
        broken("a capture after expiry", 5, MemoryVerifierTest::lateCapture),
        broken("an early expiry", 5, MemoryVerifierTest::earlyExpiry),
        broken("more is reversed than was", 5, s -> request(s, "refund", r -> refund("g-3"))),
        broken("a hold is reversed", 5, s -> request(s, "refund", r -> refund("hold-1"))),
        broken("an id twice", 5, s -> request(s, "hold-2", r -> withId(r, id("hold-1")))),
        broken("a member leaves", 6, s -> record(s, "g-2", r -> group(r, null))),
        broken("an index repeats", 6, s -> record(s, "g-2", r -> group(r, place("group", 0, 3)))),
        broken("a size differs", 6, s -> record(s, "g-2", r -> group(r, place("group", 1, 4)))),
        broken("a member too few", 6, s -> record(s, "g-3", r -> group(r, null))),
        broken("a single joins", 6, s -> record(s, "void-2", r -> group(r, place("x", 0, 2)))),
        broken("a group again", 6, s -> record(s, "void-2", r -> group(r, place("group", 0, 1)))),
        broken("time goes back", 7, s -> record(s, "refund", r -> at(r, Instant.EPOCH))),
        broken("another asset", 7, s -> record(s, "refund", r -> after(r, inBitcoin(r)))),
        broken("an account is gone", 7, MemoryVerifierTest::withoutFees),
        broken("a change is lost", 7, s -> changes(s, c -> c.subList(1, 2))),
        broken("the last change is lost", 7, s -> changes(s, c -> c.subList(0, 1))),
        broken("changes are swapped", 7, s -> changes(s, List::reversed)),
        broken("limits are not the last", 7, MemoryVerifierTest::otherLimits));
  }

  private static Arguments broken(
      String what, int invariant, UnaryOperator<MemorySnapshot> damage) {
    return Arguments.of(what, invariant, damage);
  }

  private static MemorySnapshot snapshot() {
    LedgerFixture fixture = new LedgerFixture().lively();
    return fixture.ledger.snapshot();
  }

  // Damage to the journal.

  private static MemorySnapshot journal(MemorySnapshot s, UnaryOperator<List<Transfer>> damage) {
    return new MemorySnapshot(damage.apply(s.journal()), s.accounts(), s.openHolds());
  }

  private static MemorySnapshot record(
      MemorySnapshot s, String name, UnaryOperator<Transfer> damage) {
    return journal(
        s, j -> j.stream().map(r -> r.id().equals(id(name)) ? damage.apply(r) : r).toList());
  }

  private static MemorySnapshot request(
      MemorySnapshot s, String name, UnaryOperator<TransferRequest> damage) {
    return record(s, name, r -> with(r, damage.apply(r.request())));
  }

  private static List<Transfer> without(List<Transfer> journal, String name) {
    return journal.stream().filter(r -> !r.id().equals(id(name))).toList();
  }

  private static TransferRequest void2(UUID holdId) {
    return TransferRequest.voiding(id("void-2"), holdId);
  }

  private static TransferRequest refund(String original) {
    return TransferRequest.reversal(id("refund"), id(original)).amount(cents(500));
  }

  private static TransferRequest withId(TransferRequest r, UUID newId) {
    return TransferRequest.pending(newId, r.asset(), r.debit(), r.credit(), r.amount());
  }

  private static GroupRef place(String group, int index, int size) {
    return new GroupRef(id(group), index, size);
  }

  private static MemorySnapshot lateCapture(MemorySnapshot s) {
    Instant deadline =
        s.journal().stream()
            .filter(r -> r.id().equals(id("hold-1")))
            .findFirst()
            .orElseThrow()
            .deadline();
    return record(s, "capture-1", r -> at(r, deadline));
  }

  private static MemorySnapshot earlyExpiry(MemorySnapshot s) {
    return request(s, "hold-1", r -> r.timeoutSeconds(Integer.MAX_VALUE));
  }

  private static Transfer with(Transfer r, TransferRequest request) {
    return new Transfer(
        request,
        r.amount(),
        r.released(),
        r.last(),
        r.group(),
        r.code(),
        r.reference(),
        r.recordedAt(),
        r.debitAfter(),
        r.creditAfter());
  }

  private static Transfer with(Transfer r, Amount amount, Amount released, boolean last) {
    return new Transfer(
        r.request(),
        amount,
        released,
        last,
        r.group(),
        r.code(),
        r.reference(),
        r.recordedAt(),
        r.debitAfter(),
        r.creditAfter());
  }

  private static Transfer amount(Transfer r, Amount amount) {
    return with(r, amount, r.released(), r.last());
  }

  private static Transfer released(Transfer r, Amount released) {
    return with(r, r.amount(), released, r.last());
  }

  private static Transfer last(Transfer r, boolean last) {
    return with(r, r.amount(), r.released(), last);
  }

  private static Transfer group(Transfer r, GroupRef group) {
    return with(r, group, r.recordedAt(), r.debitAfter());
  }

  private static Transfer at(Transfer r, Instant recordedAt) {
    return with(r, r.group(), recordedAt, r.debitAfter());
  }

  private static Transfer after(Transfer r, AccountBalance debitAfter) {
    return with(r, r.group(), r.recordedAt(), debitAfter);
  }

  private static Transfer with(
      Transfer r, GroupRef group, Instant recordedAt, AccountBalance debitAfter) {
    return new Transfer(
        r.request(),
        r.amount(),
        r.released(),
        r.last(),
        group,
        r.code(),
        r.reference(),
        recordedAt,
        debitAfter,
        r.creditAfter());
  }

  private static AccountBalance ahead(Transfer r) {
    return ahead(r.debitAfter());
  }

  private static AccountBalance ahead(AccountBalance b) {
    return new AccountBalance(b.account(), b.asset(), b.normal(), b.version() + 1, b.counters());
  }

  private static AccountBalance inBitcoin(Transfer r) {
    AccountBalance b = r.debitAfter();
    return new AccountBalance(b.account(), BTC, b.normal(), b.version(), b.counters());
  }

  private static Transfer jump(Transfer r) {
    AccountBalance b = r.debitAfter();
    return after(
        r,
        new AccountBalance(
            b.account(), b.asset(), b.normal(), b.version(), posted(0, 1).apply(b.counters())));
  }

  // Damage to what accounts show.

  private static UnaryOperator<Counters> posted(long debits, long credits) {
    return c ->
        new Counters(
            c.debitsPosted().plus(cents(debits)),
            c.creditsPosted().plus(cents(credits)),
            c.debitsPending(),
            c.creditsPending());
  }

  private static UnaryOperator<Counters> pending(long debits) {
    return c -> c.with(Side.DEBIT, c.debitsPosted(), c.debitsPending().plus(cents(debits)));
  }

  private static MemorySnapshot shown(
      MemorySnapshot s, AccountId id, UnaryOperator<MemorySnapshot.Shown> damage) {
    return new MemorySnapshot(
        s.journal(),
        s.accounts().stream().map(a -> a.opened().id().equals(id) ? damage.apply(a) : a).toList(),
        s.openHolds());
  }

  private static MemorySnapshot account(
      MemorySnapshot s, AccountId id, UnaryOperator<AccountBalance> damage) {
    return shown(s, id, a -> now(a, a.now().limits(), damage.apply(a.now().balance())));
  }

  private static MemorySnapshot counters(
      MemorySnapshot s, AccountId id, UnaryOperator<Counters> damage) {
    return account(
        s,
        id,
        b ->
            new AccountBalance(
                b.account(), b.asset(), b.normal(), b.version(), damage.apply(b.counters())));
  }

  private static MemorySnapshot.Shown now(
      MemorySnapshot.Shown a, Limits limits, AccountBalance balance) {
    Account n = a.now();
    return new MemorySnapshot.Shown(
        a.opened(),
        a.openedAt(),
        new Account(
            n.id(),
            limits,
            n.code(),
            n.metadata(),
            balance,
            n.openedAt(),
            n.closedAt(),
            n.lastChange()),
        a.changes(),
        a.lines());
  }

  private static MemorySnapshot otherLimits(MemorySnapshot s) {
    return shown(s, BOB, a -> now(a, Limits.NONE, a.now().balance()));
  }

  private static MemorySnapshot lines(MemorySnapshot s, UnaryOperator<List<Integer>> damage) {
    return shown(
        s,
        FEES,
        a ->
            new MemorySnapshot.Shown(
                a.opened(), a.openedAt(), a.now(), a.changes(), damage.apply(a.lines())));
  }

  private static MemorySnapshot changes(
      MemorySnapshot s, UnaryOperator<List<AccountChange>> damage) {
    return shown(
        s,
        BOB,
        a ->
            new MemorySnapshot.Shown(
                a.opened(), a.openedAt(), a.now(), damage.apply(a.changes()), a.lines()));
  }

  private static MemorySnapshot opened(
      MemorySnapshot s, AccountId id, UnaryOperator<NewAccount> damage) {
    return shown(
        s,
        id,
        a ->
            new MemorySnapshot.Shown(
                damage.apply(a.opened()), a.openedAt(), a.now(), a.changes(), a.lines()));
  }

  private static UnaryOperator<NewAccount> limits(Integer min, Integer max) {
    return account ->
        account.limits(
            new Limits(
                min == null ? null : Balance.ofMinor(min),
                max == null ? null : Balance.ofMinor(max)));
  }

  /** Bob's maximum of 500.00 becomes one of 15.00, so that later records break it. */
  private static MemorySnapshot tightenBob(MemorySnapshot s) {
    return changes(
        s,
        list -> {
          AccountChange c = list.getFirst();
          AccountChange tighter =
              new AccountChange(
                  c.account(),
                  c.number(),
                  c.before(),
                  new AccountTerms(
                      new Limits(Balance.ZERO, Balance.ofMinor(1_500)),
                      c.after().metadata(),
                      false),
                  c.afterVersion(),
                  c.recordedAt(),
                  c.actor());
          return List.of(tighter, list.get(1));
        });
  }

  private static MemorySnapshot withoutFees(MemorySnapshot s) {
    return new MemorySnapshot(
        s.journal(),
        s.accounts().stream().filter(a -> !a.opened().id().equals(FEES)).toList(),
        s.openHolds());
  }

  // Damage to the list of open holds.

  private static MemorySnapshot holds(MemorySnapshot s, List<Hold> holds) {
    return new MemorySnapshot(s.journal(), s.accounts(), holds);
  }

  private static MemorySnapshot holds(MemorySnapshot s, List<Hold> holds, Amount remaining) {
    return holds(s, holds.stream().map(h -> new Hold(h.transfer(), remaining)).toList());
  }

  private static MemorySnapshot listEndedHold(MemorySnapshot s) {
    List<Hold> holds = new ArrayList<>(s.openHolds());
    s.journal().stream()
        .filter(r -> r.id().equals(id("hold-2")))
        .forEach(r -> holds.add(new Hold(r, r.amount())));
    return holds(s, holds);
  }
}
