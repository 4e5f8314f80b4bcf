package dev.partita.json;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.Ids;
import dev.partita.LedgerEvent;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.Page;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.RegisterResult;
import dev.partita.Transfer;
import dev.partita.TrialBalance;
import dev.partita.VerifyReport;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents that {@link JsonWriter} writes, strictly. Each method reads one whole
 * document from a stream, which it does not close, and throws
 *
 * <ul>
 *   <li>{@link JsonProblemException} for what cannot be meant: unknown fields, duplicate keys,
 *       values of another type, floats, values out of range, anything after the document, objects
 *       and arrays nested deeper than {@link #DEPTH_MAX}, documents larger than the reader's bound;
 *   <li>{@link java.io.UncheckedIOException} if the stream fails.
 * </ul>
 *
 * <p>Lists are read element by element: beside the values made, one element at a time is in memory.
 * Immutable; safe for use by any number of threads.
 */
public final class JsonReader {

  /** How deep objects and arrays may be nested. */
  public static final int DEPTH_MAX = 32;

  /** The largest document that a reader takes if not told otherwise: 16 MiB. */
  public static final long BYTES_MAX = 16L << 20;

  /** Of lists that the ledger does not bound; the size of the document does. */
  private static final int ANY_NUMBER = Integer.MAX_VALUE;

  private final long bytesMax;
  private final TransferValues transfers;
  private final AccountValues accounts;
  private final ReportValues reports;
  private final EventValues events;
  private final PostItems items;

  /** A reader of amounts in this form and documents of at most {@link #BYTES_MAX}. */
  public JsonReader(Amounts amounts) {
    this(amounts, BYTES_MAX);
  }

  /**
   * A reader.
   *
   * @param amounts the form of amounts
   * @param bytesMax the largest document it takes, at least 1
   */
  public JsonReader(Amounts amounts, long bytesMax) {
    Objects.requireNonNull(amounts, "amounts");
    if (bytesMax < 1) {
      throw new MisuseException("bytesMax", "must be positive, was " + bytesMax);
    }
    this.bytesMax = bytesMax;
    this.transfers = new TransferValues(amounts);
    this.accounts = new AccountValues(amounts, transfers);
    this.reports = new ReportValues(amounts, transfers);
    this.events = new EventValues(transfers, accounts);
    this.items = new PostItems(transfers);
  }

  /**
   * Assets to register, or registered: {@code {"assets":[…]}}; ISO 4217 codes may omit the scale.
   */
  public List<Asset> readAssets(InputStream in) {
    return JsonInput.read(
        in, bytesMax, input -> input.list("assets", ANY_NUMBER, AccountValues::asset));
  }

  /** What became of assets to register: {@code {"results":[…]}}. */
  public List<RegisterResult> readRegisterResults(InputStream in) {
    return JsonInput.read(
        in, bytesMax, input -> input.list("results", ANY_NUMBER, AccountValues::registerResult));
  }

  /** One account to open, or {@code {"accounts":[…]}}: at most 10,000. */
  public OpenBody readOpen(InputStream in) {
    return JsonInput.read(
        in,
        bytesMax,
        input -> {
          String first = input.enter();
          if (!"accounts".equals(first)) {
            NewAccount account = accounts.newAccount(input.objectFrom(first, ""));
            return new OpenBody(List.of(account), true);
          }
          List<NewAccount> all =
              input.elements(Page.LIMIT_MAX, element -> accounts.newAccount(element.object()));
          input.leave();
          return new OpenBody(all, false);
        });
  }

  /** What became of accounts to open: {@code {"results":[…]}}. */
  public List<OpenResult> readOpenResults(InputStream in) {
    return JsonInput.read(
        in, bytesMax, input -> input.list("results", Page.LIMIT_MAX, AccountValues::openResult));
  }

  /** An account. */
  public Account readAccount(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, accounts::account);
  }

  /** A page of accounts: {@code {"accounts":[…],"next"}}. */
  public Page<Account> readAccounts(InputStream in) {
    return JsonInput.read(in, bytesMax, input -> input.page("accounts", accounts::account));
  }

  /**
   * A change to make.
   *
   * @param account the account to change, which the document does not name
   * @param asset its asset; null if not known, which {@link Amounts#MINOR} takes
   */
  public ChangeRequest readChange(InputStream in, AccountId account, @Nullable AssetCode asset) {
    return JsonInput.readWhole(in, bytesMax, object -> accounts.change(object, account, asset));
  }

  /** What became of a change. */
  public ChangeResult readChangeResult(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, accounts::changeResult);
  }

  /** A page of recorded changes: {@code {"changes":[…],"next"}}. */
  public Page<AccountChange> readChanges(InputStream in) {
    return JsonInput.read(in, bytesMax, input -> input.page("changes", accounts::recordedChange));
  }

  /** Where an account stands. */
  public BalanceReading readBalance(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, accounts::reading);
  }

  /** What counts for an account at an effective instant. */
  public EffectiveReading readEffective(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, accounts::effective);
  }

  /** A page of a statement: {@code {"entries":[…],"next"}}. */
  public Page<Entry> readStatement(InputStream in) {
    return JsonInput.read(in, bytesMax, input -> input.page("entries", reports::entry));
  }

  /** One transfer to post, or {@code {"items":[…]}}: at most 10,000 transfers. */
  public PostBody readPostBody(InputStream in) {
    return JsonInput.read(in, bytesMax, items::body);
  }

  /** Items to post: {@code {"items":[…]}}, at most 10,000 transfers. */
  public PostRequest readPost(InputStream in) {
    return JsonInput.read(in, bytesMax, items::request);
  }

  /** The answers to a request: {@code {"results":[{"transfers":[…]}]}}. */
  public PostResult readPostResult(InputStream in) {
    return JsonInput.read(in, bytesMax, items::result);
  }

  /** A transfer. */
  public Transfer readTransfer(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, transfers::transfer);
  }

  /** A page of transfers: {@code {"transfers":[…],"next"}}. */
  public Page<Transfer> readTransfers(InputStream in) {
    return JsonInput.read(in, bytesMax, input -> input.page("transfers", transfers::transfer));
  }

  /** A page of the change feed: {@code {"events":[…],"next"}}. */
  public Page<LedgerEvent> readEvents(InputStream in) {
    return JsonInput.read(in, bytesMax, input -> input.page("events", events::event));
  }

  /** One event of the change feed, as the data of a stream. */
  public LedgerEvent readEvent(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, events::event);
  }

  /** Ids to look up: {@code {"ids":[…]}}, at most 10,000. */
  public List<UUID> readIds(InputStream in) {
    return JsonInput.read(
        in, bytesMax, input -> input.texts("ids", Page.LIMIT_MAX, text -> Ids.parse("id", text)));
  }

  /** A page of open holds: {@code {"holds":[…],"next"}}. */
  public Page<Hold> readHolds(InputStream in) {
    return JsonInput.read(in, bytesMax, input -> input.page("holds", reports::hold));
  }

  /** How many at most: {@code {"limit":n}}, 1 … 10,000. */
  public int readLimit(InputStream in) {
    return JsonInput.readWhole(
        in, bytesMax, object -> object.make(() -> object.wholeInt("limit", 1, Page.LIMIT_MAX)));
  }

  /** The trial balance. */
  public TrialBalance readTrialBalance(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, reports::trialBalance);
  }

  /** What a verification found. */
  public VerifyReport readVerifyReport(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, ReportValues::report);
  }

  /** How far a verification is. */
  public Verification readVerification(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, object -> ReportValues.verification(object, accounts));
  }

  /** A problem; fields that are not known are passed over, as RFC 9457 asks of clients. */
  public Problem readProblem(InputStream in) {
    return JsonInput.readWhole(in, bytesMax, object -> ReportValues.problem(object, accounts));
  }
}
