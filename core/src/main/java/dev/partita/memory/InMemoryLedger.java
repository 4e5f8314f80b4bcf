package dev.partita.memory;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.CorruptionException;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.LedgerEvent;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.Page;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.RegisterResult;
import dev.partita.StatementQuery;
import dev.partita.TimeSource;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.TrialBalance;
import dev.partita.UnavailableException;
import dev.partita.VerifyReport;
import dev.partita.rules.AccountRules;
import dev.partita.rules.Bookkeeper;
import dev.partita.rules.Draft;
import dev.partita.rules.Restorable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in memory: the reference engine, and the ledger to put into unit tests. It obeys every
 * rule that the durable engines obey; what it records is gone when it is.
 *
 * <p>Safe for use by any number of threads:
 *
 * <ol>
 *   <li>One lock guards everything recorded. Writers and readers take it in turn, so an answer
 *       shows the ledger at one moment.
 *   <li>A request is decided as a whole and then recorded as a whole. An exception in between
 *       leaves the ledger as it was.
 *   <li>{@link #submit} decides and completes on a virtual thread of its own, after the lock is let
 *       go, so that whatever depends on the stage may use the ledger.
 *   <li>{@link #verify} holds the lock only to copy references; records never change.
 *   <li>The time source is asked under the lock and must not use the ledger.
 * </ol>
 *
 * <p>After {@link #close} every call throws {@link UnavailableException} with {@code CLOSED}; the
 * stage of {@link #submit} fails with it.
 */
public final class InMemoryLedger implements Ledger, Restorable {

  /** Most accounts to open, or transfers to look up, in one call. */
  private static final int ITEMS_MAX = 10_000;

  private final TimeSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final MemoryBooks books = new MemoryBooks();
  private final MemoryReads reads = new MemoryReads(books);
  private boolean closed;

  /**
   * An empty ledger.
   *
   * @param clock where its time comes from, such as {@code Clock.systemUTC()::instant}, or a clock
   *     that a test sets
   */
  public InMemoryLedger(TimeSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  @Override
  public List<RegisterResult> register(List<Asset> assets) {
    List<Asset> wanted = List.copyOf(assets);
    return locked(
        () -> {
          List<RegisterResult> results = new ArrayList<>(wanted.size());
          for (Asset asset : wanted) {
            results.add(register(asset));
          }
          return results;
        });
  }

  private RegisterResult register(Asset asset) {
    Asset stored = books.asset(asset.code());
    if (stored == null) {
      books.register(asset);
      return new RegisterResult(asset, RegisterResult.Status.CREATED);
    }
    return new RegisterResult(
        stored,
        stored.equals(asset)
            ? RegisterResult.Status.EXISTS
            : RegisterResult.Status.EXISTS_DIFFERENT);
  }

  @Override
  public List<OpenResult> open(List<NewAccount> accounts) {
    List<NewAccount> wanted = bounded("accounts", accounts);
    return locked(
        () -> {
          Instant now = now();
          List<OpenResult> results = new ArrayList<>(wanted.size());
          for (NewAccount account : wanted) {
            MemoryAccount existing = books.find(account.id());
            OpenResult result =
                AccountRules.open(
                    account,
                    existing == null ? null : existing.view(),
                    books.hasAsset(account.asset()));
            if (result.status() == OpenResult.Status.CREATED) {
              books.open(account, now);
            }
            results.add(result);
          }
          return results;
        });
  }

  @Override
  public ChangeResult change(ChangeRequest change) {
    return locked(
        () -> {
          MemoryAccount account = books.require(change.account());
          AccountRules.Decision decision =
              AccountRules.change(change, account.view(), account.lastTouchedAt(), now());
          if (decision.change() != null) {
            books.change(account, decision.change());
          }
          return decision.result();
        });
  }

  @Override
  public PostResult post(PostRequest request) {
    Objects.requireNonNull(request, "request");
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException(
          UnavailableException.Reason.WITHDRAWN,
          UnavailableException.Outcome.NOT_POSTED,
          "interrupted while waiting for earlier requests; nothing was posted",
          e);
    }
    try {
      requireOpen();
      return decide(request);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CompletableFuture<PostResult> submit(PostRequest request) {
    Objects.requireNonNull(request, "request");
    CompletableFuture<PostResult> answer = new CompletableFuture<>();
    Thread.ofVirtual().name("partita-submit").start(() -> run(request, answer));
    return answer;
  }

  private void run(PostRequest request, CompletableFuture<PostResult> answer) {
    PostResult result;
    try {
      // Null: withdrawn before it was taken up.
      result =
          this.<Optional<PostResult>>locked(
                  () -> answer.isDone() ? Optional.empty() : Optional.of(decide(request)))
              .orElse(null);
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e);
      return;
    }
    if (result != null) {
      answer.complete(result);
    }
  }

  private PostResult decide(PostRequest request) {
    Instant now = now();
    Draft draft = new Draft(books);
    List<PostResult.Item> items = new ArrayList<>(request.items().size());
    for (PostItem item : request.items()) {
      items.add(new PostResult.Item(Bookkeeper.decide(item, draft, now)));
    }
    PostResult result = new PostResult(items);
    books.record(draft.records());
    return result;
  }

  @Override
  public List<Transfer> expireDue(int limit) {
    Page.requireLimit(limit);
    return locked(
        () -> {
          Instant now = now();
          Draft draft = new Draft(books);
          for (Transfer hold : books.due(now, limit)) {
            TransferResult result =
                Bookkeeper.decide(TransferRequest.expiry(hold.id()), draft, now).getFirst();
            if (result.status() != TransferStatus.CREATED) {
              throw new CorruptionException(
                  "hold " + hold.id() + " is open and due, yet cannot expire: " + result.status());
            }
          }
          books.record(draft.records());
          return draft.records();
        });
  }

  @Override
  public List<Asset> assets() {
    return locked(books::assets);
  }

  @Override
  public Optional<Account> account(AccountId id) {
    return locked(() -> Optional.ofNullable(books.find(id)).map(MemoryAccount::view));
  }

  @Override
  public Page<Account> accounts(AccountQuery query) {
    return locked(() -> reads.accounts(query));
  }

  @Override
  public Page<AccountChange> changes(AccountId account, @Nullable String cursor, int limit) {
    return locked(() -> reads.changes(account, cursor, limit));
  }

  @Override
  public BalanceReading balance(AccountId account) {
    return locked(() -> reads.balance(account, clock.now()));
  }

  @Override
  public BalanceReading balanceAsRecorded(AccountId account, Instant recordedAt) {
    return locked(() -> reads.asRecorded(account, recordedAt, clock.now()));
  }

  @Override
  public EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt) {
    return locked(() -> reads.asEffective(account, effectiveAt, clock.now()));
  }

  @Override
  public EffectiveReading balanceAsEffective(
      AccountId account, Instant effectiveAt, Instant knownAt) {
    return locked(() -> reads.asEffective(account, effectiveAt, knownAt, clock.now()));
  }

  @Override
  public Page<Entry> statement(StatementQuery query) {
    return locked(() -> reads.statement(query));
  }

  @Override
  public List<Transfer> transfers(List<UUID> ids) {
    List<UUID> wanted = bounded("ids", ids);
    return locked(() -> wanted.stream().map(books::transfer).filter(Objects::nonNull).toList());
  }

  @Override
  public Page<Transfer> find(TransferQuery query) {
    return locked(() -> reads.find(query));
  }

  @Override
  public Page<Hold> holds(HoldQuery query) {
    return locked(() -> reads.holds(query));
  }

  @Override
  public Page<Transfer> journal(@Nullable String cursor, int limit) {
    return locked(() -> reads.journal(cursor, limit));
  }

  @Override
  public Page<LedgerEvent> feed(@Nullable String cursor, int limit) {
    return locked(() -> books.feed().page(cursor, limit));
  }

  @Override
  public TrialBalance trialBalance() {
    return locked(() -> MemoryTrialBalance.of(books, now()));
  }

  @Override
  public VerifyReport verify(Progress progress) {
    Objects.requireNonNull(progress, "progress");
    return MemoryVerifier.verify(snapshot(), progress);
  }

  MemorySnapshot snapshot() {
    return locked(() -> MemorySnapshot.of(books));
  }

  @Override
  public void restoreAccounts(List<OpenedAccount> accounts) {
    locked(() -> MemoryRestore.accounts(books, accounts));
  }

  @Override
  public void restoreChange(AccountChange change) {
    locked(() -> MemoryRestore.change(books, change));
  }

  @Override
  public void restoreTransfers(List<Transfer> records) {
    locked(() -> MemoryRestore.transfers(books, records));
  }

  /** Waits for the request being recorded, if any; refuses all others. Repeating it is harmless. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  private Instant now() {
    return clock.now().truncatedTo(ChronoUnit.MICROS);
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      requireOpen();
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      requireOpen();
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new UnavailableException(
          UnavailableException.Reason.CLOSED,
          UnavailableException.Outcome.NOT_POSTED,
          "the ledger is closed",
          null);
    }
  }

  private static <T> List<T> bounded(String field, List<T> items) {
    if (items.size() > ITEMS_MAX) {
      throw new MisuseException(
          field, "at most 10,000 in one call, these are " + items.size() + "; split them");
    }
    return List.copyOf(items);
  }
}
