package dev.partita.validate.client;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Balance;
import dev.partita.GroupRef;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.Page;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TrialBalance;
import dev.partita.validate.Run;
import dev.partita.validate.client.Journal.Line;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Compares what clients were told with what a ledger stores, record by record, through the ledger's
 * public reads and in arithmetic of its own. It can be repeated while a run goes on: each time from
 * where the last one ended, with a journal of what was sent since, while no client is at work. For
 * one thread.
 */
public final class Reconciliation {

  private static final String ONCE = "every acknowledged transfer is stored exactly once";
  private static final String ABSENT = "no refused transfer is stored";
  private static final String KNOWN = "every unknown outcome is resolved by repeating it";
  private static final String OURS = "nothing is stored that nobody sent";
  private static final String SAME = "what is stored is what was sent and shown";
  private static final String FOLLOWS = "versions and running balances follow from the records";
  private static final String LIMITS = "no account is beyond a limit after any record";
  private static final String WHOLE = "groups are whole";
  private static final String BALANCED = "debits equal credits";
  private static final String EXPIRE = "every hold that is due expires";
  private static final String STANDS = "every account stands where its records put it";

  private static final long PAUSE_NANOS = 100_000_000;

  private final Run run;
  private final Map<AccountId, Limits> limits = new HashMap<>();
  private final Map<AccountId, Mirror> mirrors = new LinkedHashMap<>();
  private final Map<UUID, Transfer> holds = new HashMap<>();
  private Ledger ledger;
  private Duration patience;
  private @Nullable String cursor;
  private long records;

  /** Compares with a ledger that has not recorded anything yet. */
  public Reconciliation(Ledger ledger, Run run) {
    // How long the journal may lag behind answers.
    this.patience = Duration.ofSeconds(run.size(10, 30));
    this.ledger = ledger;
    this.run = run;
  }

  /** Says what limits an account has; one that is not named here has none. */
  public void limit(AccountId account, Limits value) {
    limits.put(account, value);
  }

  /** From now on looks at the same data by way of another ledger, as after a restart. */
  public void through(Ledger next) {
    ledger = next;
  }

  /**
   * How long to wait for what was acknowledged and is not seen; 10 s in a short run and 30 s
   * otherwise unless it is set.
   */
  public void patience(Duration value) {
    patience = value;
  }

  /** Records seen so far. */
  public long records() {
    return records;
  }

  /**
   * Compares everything recorded since the last time with the journal. Lines that are still open
   * are violations: whoever calls has given each a chance to be resolved.
   */
  public void compare(Journal journal) {
    run.phase("reconciling");
    Set<UUID> seen = new HashSet<>();
    Map<UUID, Integer> groups = new HashMap<>();
    long deadline = System.nanoTime() + patience.toNanos();
    do {
      drain(journal, seen, groups);
    } while (System.nanoTime() - deadline < 0 && !(all(journal, seen) && upToDate()));
    for (Line line : journal.lines()) {
      told(line, seen.contains(line.request().id()));
      GroupRef group = line.group();
      if (group != null) {
        int stored = groups.getOrDefault(group.id(), 0);
        run.check(
            WHOLE,
            stored == 0 || stored == group.size(),
            stored + " of " + group.size() + " members of group " + group.id() + " are stored");
      }
    }
    stands();
  }

  /**
   * Waits until every hold with a deadline has ended, while no client is at work and a ledger runs
   * that expires them. What is left after the patience is a violation.
   *
   * @param patience longer than the longest time-out of a hold
   */
  public void awaitExpiries(Duration patience) {
    run.phase("waiting for holds to expire");
    Journal nothing = new Journal();
    Set<UUID> seen = new HashSet<>();
    long timed = timedHolds().size();
    long deadline = System.nanoTime() + patience.toNanos();
    while (!timedHolds().isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      drain(nothing, seen, new HashMap<>());
    }
    List<Transfer> overdue = timedHolds();
    run.held(EXPIRE, timed - overdue.size());
    for (Transfer hold : overdue) {
      run.violation(
          EXPIRE,
          hold.id() + " was due at " + hold.deadline() + " and is open " + patience + " on");
    }
    stands();
  }

  private List<Transfer> timedHolds() {
    return holds.values().stream().filter(hold -> hold.deadline() != null).toList();
  }

  private void drain(Journal journal, Set<UUID> seen, Map<UUID, Integer> groups) {
    for (Page<Transfer> page = next(); !page.items().isEmpty(); page = next()) {
      for (Transfer record : page.items()) {
        records++;
        apply(record);
        if (!seen.add(record.id())) {
          run.violation(ONCE, record.id() + " is stored twice");
        }
        matches(record, journal.line(record.id()));
        GroupRef group = record.group();
        if (group != null) {
          groups.merge(group.id(), 1, Integer::sum);
        }
      }
      run.progress(records, 0, "records");
    }
  }

  /**
   * Whether everything acknowledged was seen. The ledger's journal ends before what a session that
   * is just being ended could still precede.
   */
  private static boolean all(Journal journal, Set<UUID> seen) {
    return journal.lines().stream()
        .filter(line -> line.state() == Journal.State.RECORDED)
        .allMatch(line -> seen.contains(line.request().id()));
  }

  /** Whether no account is ahead: holds expire while this looks. */
  private boolean upToDate() {
    return mirrors.entrySet().stream()
        .allMatch(each -> version(each.getKey()) <= each.getValue().version);
  }

  private long version(AccountId account) {
    return ledger.account(account).map(found -> found.balance().version()).orElse(0L);
  }

  private Page<Transfer> next() {
    Page<Transfer> page = ledger.journal(cursor, Page.LIMIT_MAX);
    cursor = page.next();
    return page;
  }

  /** What the client was told must be true. */
  private void told(Line line, boolean stored) {
    UUID id = line.request().id();
    switch (line.state()) {
      case RECORDED -> run.check(ONCE, stored, id + " was acknowledged and is not stored");
      case REFUSED -> run.check(ABSENT, !stored, id + ", " + line.refusal() + ", is stored");
      case NOT_POSTED -> run.check(ABSENT, !stored, id + ", said not to be posted, is stored");
      case OPEN ->
          run.violation(KNOWN, id + (stored ? " is stored" : " is not stored") + ", nobody knows");
    }
  }

  /** What is stored must have been sent, and be as it was shown. */
  private void matches(Transfer record, @Nullable Line line) {
    if (record.kind() == TransferKind.EXPIRY) {
      Transfer hold = holds.remove(record.relatedId());
      run.check(
          OURS,
          hold != null
              && hold.deadline() != null
              && record.id().equals(Ids.expiryOf(hold.id()))
              && !record.recordedAt().isBefore(hold.deadline()),
          record.id() + " is not the expiry of a hold that is due");
      return;
    }
    if (line == null) {
      run.violation(OURS, record.id() + ", " + record.kind() + ", is stored");
      return;
    }
    run.held(OURS, 1);
    run.check(
        SAME,
        line.request().equals(record.request())
            && Objects.equals(line.group(), record.group())
            && line.showed(record),
        "sent " + line.request() + ", shown " + line.recorded() + ", stored " + record);
    if (record.kind() == TransferKind.PENDING) {
      holds.put(record.id(), record);
    } else if (record.last() && record.relatedId() != null) {
      holds.remove(record.relatedId());
    }
  }

  private void apply(Transfer record) {
    for (Side side : Side.values()) {
      AccountId account = record.after(side).account();
      Mirror mirror = mirrors.computeIfAbsent(account, id -> new Mirror());
      mirror.apply(record, side);
      run.check(
          FOLLOWS,
          record.after(side).version() == mirror.version
              && mirror.agrees(record.after(side).counters()),
          record.id() + " on " + account + ": stored " + record.after(side) + ", due " + mirror);
      within(record, side, mirror);
    }
  }

  /** The limit of the side that moved, for what is checked against limits. */
  private void within(Transfer record, Side side, Mirror mirror) {
    Limits limit = limits.getOrDefault(record.after(side).account(), Limits.NONE);
    boolean isChecked =
        switch (record.kind()) {
          case DIRECT, PENDING, REVERSAL -> !record.amount().equals(Amount.ZERO);
          case POST, VOID, EXPIRY -> false;
        };
    if (!isChecked) {
      return;
    }
    Side normal = record.after(side).normal();
    Balance bound = side == normal ? limit.maxBalance() : limit.minBalance();
    if (bound == null) {
      return;
    }
    BigInteger value = bound.toBigInteger();
    boolean holds =
        side == normal
            ? mirror.reach(normal).compareTo(value) <= 0
            : mirror.spendable(normal).compareTo(value) >= 0;
    run.check(
        LIMITS, holds, record.after(side).account() + " after " + record.id() + ": " + mirror);
  }

  private void stands() {
    mirrors.forEach(
        (id, mirror) -> {
          Account account = ledger.account(id).orElse(null);
          // One that a hold has just expired on is looked at next time.
          boolean ahead = account != null && account.balance().version() > mirror.version;
          run.check(
              STANDS,
              ahead || (account != null && mirror.agrees(account.balance().counters())),
              id + ": " + account + ", due " + mirror);
        });
    TrialBalance balance = ledger.trialBalance();
    run.check(BALANCED, balance.balanced(), balance.toString());
  }
}
