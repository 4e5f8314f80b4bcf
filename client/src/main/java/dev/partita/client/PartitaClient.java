package dev.partita.client;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
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
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.RegisterResult;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TrialBalance;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.VerifyReport;
import dev.partita.json.Amounts;
import dev.partita.json.JsonDocuments;
import dev.partita.json.JsonReader;
import dev.partita.json.JsonWriter;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The ledger of a Partita server, over HTTP. Answers and throws what an engine in process does;
 * what a network adds is this:
 *
 * <ul>
 *   <li>A call whose connection failed is made again while {@link PartitaClientConfig#patience}
 *       lasts, which is safe: transfers carry their ids, and opening, registering and changing can
 *       be repeated. If the first attempt did arrive, the repetition answers what the server then
 *       says: {@code EXISTS} or {@code UNCHANGED}, where {@code CREATED} or {@code CHANGED} was
 *       lost with the connection. {@link #expireDue} and {@link #verify} are not repeated once they
 *       may have been sent.
 *   <li>Without an answer a call throws {@link UnavailableException} with {@code TIMED_OUT}. Its
 *       outcome is {@code UNKNOWN} if something may have been recorded, {@code NOT_POSTED} if the
 *       request cannot have arrived or only reads. Repeat the call to learn.
 *   <li>Nothing queues here. An interrupt before {@link #post} sends, or between two attempts,
 *       withdraws the call; while an attempt is under way it is waited for, at most its time-out.
 *   <li>{@link #close} lets go of the connections and leaves the server alone.
 * </ul>
 *
 * <p>Safe for use by any number of threads.
 */
public final class PartitaClient implements Ledger {

  private static final JsonWriter WRITER = new JsonWriter(Amounts.MINOR);

  private final JsonReader reader;
  private final Questions questions;
  private final Exchange exchange;
  private final RemoteVerification verification;

  /** A client of the server at the configured address; connects when it is first used. */
  public PartitaClient(PartitaClientConfig config) {
    reader = new JsonReader(Amounts.MINOR, config.answerBytesMax());
    questions = new Questions(reader);
    exchange = new Exchange(config);
    verification = new RemoteVerification(reader, this::ask);
  }

  @Override
  public List<RegisterResult> register(List<Asset> assets) {
    Page<Asset> wanted = new Page<>(assets, null);
    return ask(
        Call.send(
            "POST",
            Target.of("/v1/assets"),
            body(out -> WRITER.write(out, "assets", wanted, WRITER::write)),
            Call.Effect.RECORDS,
            reader::readRegisterResults));
  }

  @Override
  public List<OpenResult> open(List<NewAccount> accounts) {
    requireAtMost("accounts", accounts.size());
    Page<NewAccount> wanted = new Page<>(accounts, null);
    return ask(
        Call.send(
            "POST",
            Target.of("/v1/accounts").minorAmounts(),
            body(out -> WRITER.write(out, "accounts", wanted, WRITER::write)),
            Call.Effect.RECORDS,
            reader::readOpenResults));
  }

  @Override
  public ChangeResult change(ChangeRequest change) {
    AccountId id = change.account();
    Call<ChangeResult> call =
        Call.send(
                "PATCH",
                Questions.addressOf(id).minorAmounts(),
                body(out -> WRITER.write(out, change, null)),
                Call.Effect.RECORDS,
                reader::readChangeResult)
            .about(id);
    return switch (exchange.reply(call)) {
      case Reply.Of<ChangeResult> done -> done.value();
      case Reply.Refused<ChangeResult> refused ->
          switch (refused.problem().code()) {
            case "changed_meanwhile" ->
                notChanged(ChangeResult.Status.CHANGED_MEANWHILE, id, refused);
            case "limits_crossed" -> notChanged(ChangeResult.Status.LIMITS_CROSSED, id, refused);
            default -> throw Problems.exception(call, refused);
          };
    };
  }

  private ChangeResult notChanged(
      ChangeResult.Status status, AccountId id, Reply.Refused<ChangeResult> refused) {
    Account account = refused.problem().account();
    return new ChangeResult(status, account == null ? ask(questions.account(id)) : account);
  }

  @Override
  public PostResult post(PostRequest request) {
    Call<PostResult> call = posting(request);
    if (Thread.currentThread().isInterrupted()) {
      throw withdrawn();
    }
    return ask(call);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Cancelling withdraws a request that no thread has begun to send.
   */
  @Override
  public CompletableFuture<PostResult> submit(PostRequest request) {
    Call<PostResult> call = posting(request);
    CompletableFuture<PostResult> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("partita-client-submit")
        .start(
            () -> {
              if (answer.isDone()) {
                return;
              }
              try {
                answer.complete(ask(call));
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  private Call<PostResult> posting(PostRequest request) {
    return Call.send(
        "POST",
        Target.of("/v1/transfers").minorAmounts(),
        body(out -> WRITER.write(out, request)),
        Call.Effect.RECORDS,
        reader::readPostResult);
  }

  @Override
  public List<Transfer> expireDue(int limit) {
    Page.requireLimit(limit);
    return ask(Call.send(
            "POST",
            Target.of("/v1/holds/expire").minorAmounts(),
            body(
                out -> {
                  out.writeStartObject();
                  out.writeNumberProperty("limit", limit);
                  out.writeEndObject();
                }),
            Call.Effect.ACTS_ONCE,
            reader::readTransfers))
        .items();
  }

  @Override
  public List<Asset> assets() {
    return ask(questions.assets());
  }

  @Override
  public Optional<Account> account(AccountId id) {
    Call<Account> call = questions.account(id);
    return switch (exchange.reply(call)) {
      case Reply.Of<Account> found -> Optional.of(found.value());
      case Reply.Refused<Account> refused -> {
        if (refused.problem().code().equals(Problems.ACCOUNT_NOT_FOUND)) {
          yield Optional.empty();
        }
        throw Problems.exception(call, refused);
      }
    };
  }

  @Override
  public Page<Account> accounts(AccountQuery query) {
    return ask(questions.accounts(query));
  }

  @Override
  public Page<AccountChange> changes(AccountId account, @Nullable String cursor, int limit) {
    return ask(questions.changes(account, cursor, limit));
  }

  @Override
  public BalanceReading balance(AccountId account) {
    return ask(questions.balance(account, null));
  }

  @Override
  public BalanceReading balanceAsRecorded(AccountId account, Instant recordedAt) {
    return ask(questions.balance(account, Objects.requireNonNull(recordedAt, "recordedAt")));
  }

  @Override
  public EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt) {
    return ask(questions.effective(account, effectiveAt, null));
  }

  @Override
  public EffectiveReading balanceAsEffective(
      AccountId account, Instant effectiveAt, Instant knownAt) {
    return ask(
        questions.effective(account, effectiveAt, Objects.requireNonNull(knownAt, "knownAt")));
  }

  @Override
  public Page<Entry> statement(StatementQuery query) {
    return ask(questions.statement(query));
  }

  @Override
  public List<Transfer> transfers(List<UUID> ids) {
    List<UUID> wanted = List.copyOf(ids);
    requireAtMost("ids", wanted.size());
    return ask(Call.send(
            "POST",
            Target.of("/v1/transfers/lookup").minorAmounts(),
            body(out -> WRITER.writeIds(out, wanted)),
            Call.Effect.READS,
            reader::readTransfers))
        .items();
  }

  @Override
  public Page<Transfer> find(TransferQuery query) {
    return ask(questions.transfers(query));
  }

  @Override
  public Page<Hold> holds(HoldQuery query) {
    return ask(questions.holds(query));
  }

  @Override
  public Page<Transfer> journal(@Nullable String cursor, int limit) {
    return ask(questions.journal(cursor, limit));
  }

  @Override
  public Page<LedgerEvent> feed(@Nullable String cursor, int limit) {
    return ask(questions.feed(cursor, limit));
  }

  @Override
  public TrialBalance trialBalance() {
    return ask(questions.trialBalance());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Runs on the server, one at a time; asked for until it has ended. An interrupt ends the
   * asking ({@code WITHDRAWN}), not the verification.
   */
  @Override
  public VerifyReport verify(Progress progress) {
    return verification.run(progress);
  }

  @Override
  public void close() {
    exchange.close();
  }

  private <T> T ask(Call<T> call) {
    return switch (exchange.reply(call)) {
      case Reply.Of<T> answer -> answer.value();
      case Reply.Refused<T> refused -> throw Problems.exception(call, refused);
    };
  }

  private static byte[] body(Consumer<JsonGenerator> content) {
    return JsonDocuments.bytes(content);
  }

  private static void requireAtMost(String field, int count) {
    if (count > Page.LIMIT_MAX) {
      throw new MisuseException(
          field, "at most " + Page.LIMIT_MAX + " in one call, were " + count + "; split it");
    }
  }

  private static UnavailableException withdrawn() {
    return new UnavailableException(
        Reason.WITHDRAWN,
        Outcome.NOT_POSTED,
        "the caller was interrupted before the request was sent; nothing was posted",
        null);
  }
}
