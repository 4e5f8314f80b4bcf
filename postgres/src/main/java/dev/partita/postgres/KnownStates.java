package dev.partita.postgres;

import dev.partita.AccountId;
import dev.partita.rules.AccountState;
import dev.partita.rules.Draft;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where accounts stand after a lane's last batch, so that they need not be read again while nobody
 * else records anything.
 *
 * <p>Whoever records takes a number of the sequence {@code batch} while it holds the locks of the
 * accounts it records on, and holds them until it has committed. A lane that has locked an account
 * and then takes the number right after its own last one therefore knows: nobody has recorded on
 * that account since. Somebody else's number in between may mean anything, and everything here is
 * forgotten, as it is after any failure.
 *
 * <p>Bounded. For the thread that has the lane's helm, but for what says otherwise.
 */
final class KnownStates {

  private static final int ENTRIES_MAX = 50_000;

  /**
   * So many of a lane's batches follow on one another before it counts on the next one to do so.
   */
  private static final int ALONE_BATCHES = 4;

  /** Likewise, after it was disappointed time and again. */
  private static final int ALONE_BATCHES_MAX = 256;

  /** Least recently used first. */
  private final Map<AccountId, Known> accounts = new LinkedHashMap<>(1_024, 0.75f, true);

  private long lastBatch;
  private int session;
  private int alone;
  private volatile int aloneWanted = ALONE_BATCHES;

  /** No record of a batch decided ahead is later. */
  private volatile Instant lastRecordedAt = Instant.EPOCH;

  /** An account with its number in this lane's own database, and where it stands. */
  record Known(int no, AccountState state) {}

  /** An account, if it is known and likely to stand there still. */
  @Nullable Known find(AccountId account) {
    Known known = alone < ALONE_BATCHES ? null : accounts.get(account);
    return known != null && FoundBooks.UNTIMED.equals(known.state.lastRecordedAt())
        ? new Known(known.no, at(lastRecordedAt, known.state))
        : known;
  }

  private static AccountState at(Instant recordedAt, AccountState state) {
    return new AccountState(
        state.balance(), state.limits(), state.closed(), state.openedAt(), recordedAt);
  }

  /** The time of the last batch decided ahead; for the thread that has the wire. */
  Instant lastRecordedAt() {
    return lastRecordedAt;
  }

  /** Whether it is worth trying to write without looking anything up. */
  boolean isAlone() {
    return alone >= aloneWanted;
  }

  /** The number of the next batch if nobody else takes one. */
  long nextBatch() {
    return lastBatch + 1;
  }

  /** The session of the server in which all this was found. */
  int session() {
    return session;
  }

  /** A write that counted on being alone was in vain: the next one is tried later. */
  void disappoint() {
    forget();
    aloneWanted = Math.min(2 * aloneWanted, ALONE_BATCHES_MAX);
  }

  /** It was not, and got this time. For the thread that has the wire. */
  void confirm(Instant recordedAt) {
    aloneWanted = ALONE_BATCHES;
    lastRecordedAt = recordedAt;
  }

  /**
   * Whether what was found before taking this number holds; if not, everything is forgotten.
   *
   * @param batch the number taken
   */
  boolean holdAt(long batch) {
    boolean next = batch == lastBatch + 1;
    if (!next) {
      forget();
    }
    return next;
  }

  /**
   * Learns what a transaction has found and recorded, after it ended without any doubt, or ahead of
   * its end: then everything has to be forgotten if it ends otherwise.
   */
  void learn(FoundBooks found, Draft recorded) {
    alone = holdAt(found.batch()) ? Math.min(alone + 1, ALONE_BATCHES_MAX) : 0;
    lastBatch = found.batch();
    session = found.backendPid();
    for (AccountId id : found.locked()) {
      AccountState state = recorded.account(id);
      if (state != null) {
        accounts.put(id, new Known(found.no(id), state));
      }
    }
    while (accounts.size() > ENTRIES_MAX) {
      accounts.remove(accounts.keySet().iterator().next());
    }
  }

  /** Forgets everything: after a failure, or with another connection. */
  void forget() {
    accounts.clear();
    alone = 0;
    lastBatch = 0;
    lastRecordedAt = Instant.EPOCH;
  }
}
