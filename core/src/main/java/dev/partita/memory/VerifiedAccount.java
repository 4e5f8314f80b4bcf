package dev.partita.memory;

import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Balance;
import dev.partita.Counters;
import dev.partita.Limits;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/**
 * An account while a verification walks along its records. Counts anew with its own arithmetic:
 * what the bookkeeper works out with {@link Amount} is checked here with {@link BigInteger}.
 */
final class VerifiedAccount {

  private static final BigInteger MAX = BigInteger.TWO.pow(127).subtract(BigInteger.ONE);

  private final MemorySnapshot.Shown shown;
  private final Violations violations;
  private final String subject;
  private Totals totals = Totals.ZERO;
  private long version;
  private Instant lastRecordedAt;
  private Limits limits;
  private int changesInForce;

  /** The four counters. */
  private record Totals(
      BigInteger debitsPosted,
      BigInteger creditsPosted,
      BigInteger debitsPending,
      BigInteger creditsPending) {

    static final Totals ZERO =
        new Totals(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO);

    static Totals of(Counters counters) {
      return new Totals(
          counters.debitsPosted().toBigInteger(),
          counters.creditsPosted().toBigInteger(),
          counters.debitsPending().toBigInteger(),
          counters.creditsPending().toBigInteger());
    }

    Totals moved(Side side, BigInteger posted, BigInteger pending) {
      return side == Side.DEBIT
          ? new Totals(
              debitsPosted.add(posted), creditsPosted, debitsPending.add(pending), creditsPending)
          : new Totals(
              debitsPosted, creditsPosted.add(posted), debitsPending, creditsPending.add(pending));
    }

    BigInteger posted(Side side) {
      return side == Side.DEBIT ? debitsPosted : creditsPosted;
    }

    BigInteger pending(Side side) {
      return side == Side.DEBIT ? debitsPending : creditsPending;
    }
  }

  VerifiedAccount(MemorySnapshot.Shown shown, Violations violations) {
    this.shown = shown;
    this.violations = violations;
    subject = "account " + shown.opened().id();
    lastRecordedAt = shown.openedAt();
    limits = shown.opened().limits();
  }

  /** One of its lines, in the order of recording. */
  void line(Transfer record, Side side, int position) {
    AccountBalance after = record.after(side);
    version++;
    violations.requireEqual(3, subject, "version at " + record.id(), after.version(), version);
    checkPlace(record, position);
    checkCounters(record, side);
    checkLimit(record, side);
    violations.requireEqual(
        7, subject, "asset at " + record.id(), after.asset(), shown.opened().asset());
    violations.requireEqual(
        7, subject, "normal side at " + record.id(), after.normal(), shown.opened().normal());
    if (record.recordedAt().isBefore(lastRecordedAt)) {
      violations.add(
          7,
          subject,
          record.id() + " is recorded at " + record.recordedAt() + ", before " + lastRecordedAt);
    }
    lastRecordedAt = record.recordedAt();
    // Go on from what is stored, so that one fault is reported once.
    version = after.version();
    totals = Totals.of(after.counters());
  }

  private void checkPlace(Transfer record, int position) {
    List<Integer> lines = shown.lines();
    if (version > lines.size() || lines.get((int) version - 1) != position) {
      violations.add(2, subject, "line " + version + " is not " + record.id());
    }
  }

  private void checkCounters(Transfer record, Side side) {
    BigInteger amount = record.amount().toBigInteger();
    BigInteger freed = amount.add(record.released().toBigInteger()).negate();
    Totals expected =
        switch (record.kind()) {
          case DIRECT, REVERSAL -> totals.moved(side, amount, BigInteger.ZERO);
          case PENDING -> totals.moved(side, BigInteger.ZERO, amount);
          case POST -> totals.moved(side, amount, freed);
          case VOID, EXPIRY -> totals.moved(side, BigInteger.ZERO, freed);
        };
    Totals stored = Totals.of(record.after(side).counters());
    violations.requireEqual(3, subject, "counters after " + record.id(), stored, expected);
    if (stored.posted(side).add(stored.pending(side)).compareTo(MAX) > 0) {
      violations.add(3, subject, "posted and pending exceed 2^127-1 after " + record.id());
    }
  }

  private void checkLimit(Transfer record, Side side) {
    List<AccountChange> changes = shown.changes();
    while (changesInForce < changes.size()
        && changes.get(changesInForce).afterVersion() < version) {
      limits = changes.get(changesInForce).after().limits();
      changesInForce++;
    }
    TransferKind kind = record.kind();
    boolean limited =
        kind == TransferKind.DIRECT
            || kind == TransferKind.PENDING
            || kind == TransferKind.REVERSAL;
    if (!limited || record.amount().isZero()) {
      return;
    }
    Side in = shown.opened().normal();
    Side out = in.opposite();
    Totals after = Totals.of(record.after(side).counters());
    BigInteger balance = after.posted(in).subtract(after.posted(out));
    Balance max = limits.maxBalance();
    Balance min = limits.minBalance();
    if (side == in && max != null) {
      BigInteger reach = balance.add(after.pending(in));
      if (reach.compareTo(max.toBigInteger()) > 0) {
        violations.add(4, subject, "reach " + reach + " after " + record.id() + ", max " + max);
      }
    } else if (side == out && min != null) {
      BigInteger spendable = balance.subtract(after.pending(out));
      if (spendable.compareTo(min.toBigInteger()) < 0) {
        violations.add(
            4, subject, "spendable " + spendable + " after " + record.id() + ", min " + min);
      }
    }
  }

  /**
   * After its last line.
   *
   * @param heldOnDebit what remains of the open holds that debit it
   * @param heldOnCredit what remains of the open holds that credit it
   */
  void end(BigInteger heldOnDebit, BigInteger heldOnCredit) {
    AccountBalance now = shown.now().balance();
    violations.requireEqual(2, subject, "version", now.version(), version);
    violations.requireEqual(2, subject, "lines", (long) shown.lines().size(), version);
    violations.requireEqual(2, subject, "counters", Totals.of(now.counters()), totals);
    violations.requireEqual(
        2, subject, "debitsPending", now.counters().debitsPending().toBigInteger(), heldOnDebit);
    violations.requireEqual(
        2, subject, "creditsPending", now.counters().creditsPending().toBigInteger(), heldOnCredit);
    violations.requireEqual(7, subject, "asset", now.asset(), shown.opened().asset());
    violations.requireEqual(7, subject, "normal side", now.normal(), shown.opened().normal());
    checkChanges();
  }

  private void checkChanges() {
    AccountTerms terms =
        new AccountTerms(shown.opened().limits(), shown.opened().metadata(), false);
    Instant closedAt = null;
    Instant changedAt = shown.openedAt();
    long afterVersion = 0;
    long number = 0;
    for (AccountChange change : shown.changes()) {
      number++;
      String what = "change " + number;
      violations.requireEqual(7, subject, what + " is of", change.account(), shown.opened().id());
      violations.requireEqual(7, subject, "number of " + what, change.number(), number);
      violations.requireEqual(7, subject, "terms before " + what, change.before(), terms);
      if (change.afterVersion() < afterVersion || change.afterVersion() > version) {
        violations.add(7, subject, what + " took effect after version " + change.afterVersion());
      }
      if (change.recordedAt().isBefore(changedAt)) {
        violations.add(7, subject, what + " is at " + change.recordedAt() + ", too early");
      }
      if (change.after().limits().crossed()) {
        violations.add(7, subject, what + " crosses the limits");
      }
      if (!change.after().closed()) {
        closedAt = null;
      } else if (closedAt == null) {
        closedAt = change.recordedAt();
      }
      terms = change.after();
      changedAt = change.recordedAt();
      afterVersion = change.afterVersion();
    }
    violations.requireEqual(7, subject, "lastChange", shown.now().lastChange(), number);
    violations.requireEqual(7, subject, "limits", shown.now().limits(), terms.limits());
    violations.requireEqual(7, subject, "metadata", shown.now().metadata(), terms.metadata());
    violations.requireEqual(7, subject, "closedAt", shown.now().closedAt(), closedAt);
    violations.requireEqual(7, subject, "openedAt", shown.now().openedAt(), shown.openedAt());
    violations.requireEqual(7, subject, "code", shown.now().code(), shown.opened().code());
  }
}
