package dev.partita;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A double-entry ledger: accounts, and transfers between them.
 *
 * <p>Every engine obeys the same rules and passes the same conformance suite. Safe for use by any
 * number of threads; blocking calls are made for virtual threads.
 *
 * <p>A refused transfer is a {@link TransferStatus}, never an exception. Every method may throw
 * {@link MisuseException} for input that cannot be meant, {@link UnavailableException} if there is
 * no answer now, and {@link CorruptionException} if stored data contradicts itself. What a method
 * answered as recorded is durable, as far as the engine is.
 */
public interface Ledger extends AutoCloseable {

  /**
   * Registers assets, each by itself.
   *
   * @return one result for each asset, in order
   */
  List<RegisterResult> register(List<Asset> assets);

  /**
   * Opens accounts, each by itself.
   *
   * @param accounts at most 10,000
   * @return one result for each account, in order
   */
  List<OpenResult> open(List<NewAccount> accounts);

  /**
   * Changes limits, metadata or the open state of an account. Repeating a change is safe.
   *
   * @throws UnknownAccountException if there is no such account
   */
  ChangeResult change(ChangeRequest change);

  /**
   * Records transfers and waits for the answers. Repeating a request with the same ids is safe,
   * however often and however late.
   *
   * <p>An interrupt withdraws a request that still waits in the queue ({@code WITHDRAWN}, not
   * posted); one that is being recorded is waited for, and the thread's interrupt flag stays set.
   */
  PostResult post(PostRequest request);

  /** Records one item and waits for the answers to it. */
  default PostResult.Item post(PostItem item) {
    return post(PostRequest.of(item)).items().getFirst();
  }

  /** Records one transfer and waits for the answer. */
  default TransferResult post(TransferRequest transfer) {
    return post(PostRequest.of(transfer)).items().getFirst().transfers().getFirst();
  }

  /**
   * Records transfers without waiting. The stage completes on a thread of its own, with the answers
   * or with one of this interface's exceptions. Cancelling its future withdraws the request if it
   * still waits in the queue; otherwise it goes on, unobserved.
   *
   * @throws MisuseException at once, if the request is malformed
   */
  CompletionStage<PostResult> submit(PostRequest request);

  /**
   * Records the EXPIRY of holds whose deadline the engine's clock has reached, in order of
   * deadline, then of recording. Nothing else expires a hold.
   *
   * @param limit most holds to expire, 1 … 10,000
   * @return the EXPIRY records made by this call. Fewer than are due if the ledger became
   *     unavailable part-way: the others stay due
   */
  List<Transfer> expireDue(int limit);

  /** All registered assets in order of their codes. */
  List<Asset> assets();

  /** The account, if there is one. */
  Optional<Account> account(AccountId id);

  /** Lists accounts in order of their ids. */
  Page<Account> accounts(AccountQuery query);

  /**
   * The recorded changes of an account in order of their numbers.
   *
   * @throws UnknownAccountException if there is no such account
   */
  Page<AccountChange> changes(AccountId account, @Nullable String cursor, int limit);

  /**
   * Where an account stands now.
   *
   * @throws UnknownAccountException if there is no such account
   */
  BalanceReading balance(AccountId account);

  /**
   * Where an account stood as recorded at an instant, inclusive.
   *
   * @throws MisuseException if that is before the account was opened, or later than both the
   *     engine's clock and the account's last record
   * @throws UnknownAccountException if there is no such account
   */
  BalanceReading balanceAsRecorded(AccountId account, Instant recordedAt);

  /**
   * What counts for an account at an effective instant, inclusive, as far as is known now. Answered
   * for times before the opening too.
   *
   * @throws UnknownAccountException if there is no such account
   */
  EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt);

  /**
   * What counted for an account at an effective instant as far as was recorded at {@code knownAt},
   * both inclusive.
   *
   * @throws MisuseException if {@code knownAt} is before the account was opened, or later than both
   *     the engine's clock and the account's last record
   * @throws UnknownAccountException if there is no such account
   */
  EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt, Instant knownAt);

  /**
   * A page of an account's statement, by version, either way. Stable while writers go on: every
   * line that was there when paging began is on exactly one page.
   *
   * @throws UnknownAccountException if there is no such account
   */
  Page<Entry> statement(StatementQuery query);

  /** The transfer, if it is recorded. */
  default Optional<Transfer> transfer(UUID id) {
    return transfers(List.of(id)).stream().findFirst();
  }

  /**
   * Those of these transfers that are recorded, in the order asked for.
   *
   * @param ids at most 10,000
   */
  List<Transfer> transfers(List<UUID> ids);

  /**
   * Finds transfers in the order in which they were recorded.
   *
   * @throws UnknownAccountException if the query names an account that does not exist
   */
  Page<Transfer> find(TransferQuery query);

  /**
   * Lists open holds in the order in which they were recorded.
   *
   * @throws UnknownAccountException if the query names an account that does not exist
   */
  Page<Hold> holds(HoldQuery query);

  /**
   * The whole ledger, record by record, in the order of recording: along every account's versions,
   * groups together. Only what can no longer be preceded by a record still being written.
   *
   * @param cursor where to go on, from {@link Page#next}. The cursor of a page that is not full is
   *     the place to ask again later, so it is never null
   */
  Page<Transfer> journal(@Nullable String cursor, int limit);

  /**
   * The change feed: everything the ledger recorded since it was made, event by event, in an order
   * that never changes. Along every account it is the order of its history: its opening comes
   * first, then its transfers by version, and a change of its terms after the transfer of {@link
   * AccountChange#afterVersion} and before the next; groups are together.
   *
   * <p>No event is ever left out or comes later than one that was delivered before it: a page ends
   * before whatever is still being recorded, in whichever order commits finish. Whoever goes on
   * from the cursor of the last event dealt with gets every event at least once.
   *
   * @param cursor where to go on: {@link Page#next} or {@link LedgerEvent#cursor}, however old.
   *     Null to begin with the first event
   * @param limit most events, 1 … 10,000
   * @return up to that many events. Fewer, or none, if nothing more is final: {@link Page#next} is
   *     then the place to ask again later, so it is never null
   * @throws HistoryChangedException if the ledger does not have the event that the cursor stands at
   */
  Page<LedgerEvent> feed(@Nullable String cursor, int limit);

  /** The trial balance at this moment. */
  TrialBalance trialBalance();

  /**
   * Proves on the stored data, while writers go on, that
   *
   * <ol>
   *   <li>per asset, debits equal credits, posted and pending;
   *   <li>each account's counters and version are those of its last record, its pending counters
   *       the sum of what remains of its open holds, and open holds exactly the PENDING records not
   *       ended;
   *   <li>versions have no gaps, and each record's counters are those before it and what its kind
   *       says;
   *   <li>every DIRECT, PENDING and REVERSAL respects the limit of the side it moved, as in force
   *       then;
   *   <li>every POST, VOID, EXPIRY and REVERSAL points at an earlier record it may resolve, and
   *       resolutions and reversals add up;
   *   <li>each group has exactly its members, recorded together;
   *   <li>recordedAt never decreases along an account, both accounts have the transfer's asset, and
   *       account changes are numbered without gaps, the last one equal to the account, each
   *       recorded between the transfers around it.
   * </ol>
   *
   * @param progress told how many records are done
   */
  VerifyReport verify(Progress progress);

  /** Answers what was taken up, refuses what was not, and lets go of all resources. */
  @Override
  void close();
}
