package dev.partita.memory;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.Counters;
import dev.partita.Hold;
import dev.partita.Progress;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.VerifyReport;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Proves the invariants on what is stored. Walks once along the journal and works everything out
 * again by its own means, then compares with what the ledger shows; it shares no rule with the
 * bookkeeper, so that a mistake there does not hide itself.
 */
final class MemoryVerifier {

  /** Often enough to watch, seldom enough to cost nothing. */
  private static final int RECORDS_PER_REPORT = 10_000;

  private final MemorySnapshot snapshot;
  private final Violations violations = new Violations();
  private final Map<AccountId, VerifiedAccount> accounts = new LinkedHashMap<>();
  private final VerifiedRelations relations = new VerifiedRelations(violations);
  private final VerifiedGroups groups = new VerifiedGroups(violations);

  private MemoryVerifier(MemorySnapshot snapshot) {
    this.snapshot = snapshot;
  }

  static VerifyReport verify(MemorySnapshot snapshot, Progress progress) {
    return new MemoryVerifier(snapshot).run(progress);
  }

  private VerifyReport run(Progress progress) {
    for (MemorySnapshot.Shown shown : snapshot.accounts()) {
      accounts.put(shown.opened().id(), new VerifiedAccount(shown, violations));
    }
    int total = snapshot.journal().size();
    for (int position = 0; position < total; position++) {
      Transfer record = snapshot.journal().get(position);
      relations.record(record);
      groups.record(record);
      checkAccounts(record, position);
      if ((position + 1) % RECORDS_PER_REPORT == 0) {
        progress.report(position + 1L, total);
      }
    }
    groups.end();
    checkOpenHolds();
    endAccounts();
    checkSums();
    progress.report(total, total);
    return new VerifyReport(
        "record " + total, snapshot.accounts().size(), total, violations.found());
  }

  private void checkAccounts(Transfer record, int position) {
    String subject = "transfer " + record.id();
    violations.requireEqual(
        7, subject, "asset credited", record.creditAfter().asset(), record.debitAfter().asset());
    if (record.debit().equals(record.credit())) {
      violations.add(3, subject, "debits and credits one account");
    }
    for (Side side : Side.values()) {
      VerifiedAccount account = accounts.get(record.after(side).account());
      if (account == null) {
        violations.add(7, subject, "is on " + record.after(side).account() + ", no account");
      } else {
        account.line(record, side, position);
      }
    }
  }

  private void checkOpenHolds() {
    Set<UUID> shown = new LinkedHashSet<>();
    for (Hold hold : snapshot.openHolds()) {
      String subject = "transfer " + hold.id();
      if (!shown.add(hold.id())) {
        violations.add(2, subject, "is listed twice among the open holds");
      }
      BigInteger remaining = relations.openHolds().get(hold.id());
      if (remaining == null) {
        violations.add(2, subject, "is listed as an open hold but is none");
        continue;
      }
      violations.requireEqual(2, subject, "remaining", hold.remaining().toBigInteger(), remaining);
      violations.requireEqual(
          2, subject, "record of the hold", hold.transfer(), relations.find(hold.id()));
    }
    for (UUID open : relations.openHolds().keySet()) {
      if (!shown.contains(open)) {
        violations.add(2, "transfer " + open, "is an open hold but is not listed");
      }
    }
  }

  private void endAccounts() {
    Map<AccountId, BigInteger> onDebit = new LinkedHashMap<>();
    Map<AccountId, BigInteger> onCredit = new LinkedHashMap<>();
    relations
        .openHolds()
        .forEach(
            (id, remaining) -> {
              Transfer hold = relations.find(id);
              if (hold != null) {
                onDebit.merge(hold.debit(), remaining, BigInteger::add);
                onCredit.merge(hold.credit(), remaining, BigInteger::add);
              }
            });
    accounts.forEach(
        (id, account) ->
            account.end(
                onDebit.getOrDefault(id, BigInteger.ZERO),
                onCredit.getOrDefault(id, BigInteger.ZERO)));
  }

  /** Debits less credits of an asset. */
  private record Sums(BigInteger posted, BigInteger pending) {

    static Sums of(Counters counters) {
      return new Sums(
          counters.debitsPosted().toBigInteger().subtract(counters.creditsPosted().toBigInteger()),
          counters
              .debitsPending()
              .toBigInteger()
              .subtract(counters.creditsPending().toBigInteger()));
    }

    Sums plus(Sums other) {
      return new Sums(posted.add(other.posted), pending.add(other.pending));
    }
  }

  private void checkSums() {
    Map<AssetCode, Sums> sums = new TreeMap<>();
    for (MemorySnapshot.Shown shown : snapshot.accounts()) {
      sums.merge(shown.now().asset(), Sums.of(shown.now().balance().counters()), Sums::plus);
    }
    sums.forEach(
        (asset, sum) -> {
          String subject = "asset " + asset;
          violations.requireEqual(
              1, subject, "debitsPosted - creditsPosted", sum.posted(), BigInteger.ZERO);
          violations.requireEqual(
              1, subject, "debitsPending - creditsPending", sum.pending(), BigInteger.ZERO);
        });
  }
}
