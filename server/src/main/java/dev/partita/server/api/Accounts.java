package dev.partita.server.api;

import static dev.partita.server.api.Forms.AMOUNTS;
import static dev.partita.server.api.Paging.CURSOR;
import static dev.partita.server.api.Paging.LIMIT;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AssetCode;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.Ledger;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.StatementQuery;
import dev.partita.UnknownAccountException;
import dev.partita.json.JsonWriter;
import dev.partita.json.OpenBody;
import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Problem;
import dev.partita.server.http.ProblemException;
import dev.partita.server.http.Query;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Accounts, what became of them, and where they stand. */
final class Accounts {

  private static final String PATH = "/v1/accounts";
  private static final String ID = "id";
  private static final String OLDEST = "oldest";
  private static final String NEWEST = "newest";

  private final Ledger ledger;
  private final Forms forms;

  Accounts(Ledger ledger, Forms forms) {
    this.ledger = ledger;
    this.forms = forms;
  }

  List<Route> routes() {
    return List.of(
        Route.post(PATH, this::open).access(Access.ADMIN).parameters(AMOUNTS),
        Route.get(PATH, this::list)
            .access(Access.READ)
            .parameters("prefix", "asset", "code", CURSOR, LIMIT, AMOUNTS),
        Route.get(PATH + "/{id}", this::get).access(Access.READ).parameters(AMOUNTS),
        Route.patch(PATH + "/{id}", this::change).access(Access.ADMIN).parameters(AMOUNTS),
        Route.get(PATH + "/{id}/changes", this::changes)
            .access(Access.READ)
            .parameters(CURSOR, LIMIT, AMOUNTS),
        Route.get(PATH + "/{id}/balance", this::balance)
            .access(Access.READ)
            .parameters("recordedAt", "effectiveAt", "knownAt", AMOUNTS),
        Route.get(PATH + "/{id}/statement", this::statement)
            .access(Access.READ)
            .parameters("order", CURSOR, LIMIT, AMOUNTS));
  }

  private Response open(Call call) {
    Forms.Form form = forms.of(call);
    OpenBody body = form.reader().readOpen(call.body());
    List<OpenResult> results = ledger.open(body.accounts());
    return body.single()
        ? opened(body.accounts().getFirst(), results.getFirst(), form.writer())
        : Answers.list("results", results, form.writer()::write);
  }

  private Response opened(NewAccount asked, OpenResult result, JsonWriter writer) {
    return switch (result.status()) {
      case CREATED -> opened(201, result, writer).header("Location", address(result.id()));
      case EXISTS -> opened(200, result, writer);
      case EXISTS_DIFFERENT -> {
        String field = String.valueOf(result.field());
        throw new ProblemException(
            Problem.of(
                    409,
                    "exists_different",
                    "account " + result.id() + " was opened before with another " + field)
                .member("field", field)
                .pointer("/" + field));
      }
      case UNKNOWN_ASSET ->
          throw new ProblemException(
              Problem.of(
                      422,
                      "unknown_asset",
                      "asset " + asked.asset() + " is not registered; POST it to /v1/assets first")
                  .pointer("/asset"));
    };
  }

  private Response opened(int httpStatus, OpenResult result, JsonWriter writer) {
    Account account = existing(result.id());
    return Answers.outcome(
        httpStatus, result.status(), "account", out -> writer.write(out, account));
  }

  private Response list(Call call) {
    Query query = call.query();
    AccountQuery asked =
        new AccountQuery(
            query.text("prefix"),
            query.asset("asset"),
            query.number("code"),
            query.text(CURSOR),
            Paging.limit(query));
    return Answers.page("accounts", ledger.accounts(asked), forms.of(call).writer()::write);
  }

  private Response get(Call call) {
    Account account = existing(call.account(ID));
    JsonWriter writer = forms.of(call).writer();
    return Answers.json(200, out -> writer.write(out, account));
  }

  private Response change(Call call) {
    AccountId id = call.account(ID);
    Forms.Form form = forms.of(call);
    AssetCode asset = existing(id).asset();
    ChangeRequest asked = form.reader().readChange(call.body(), id, asset);
    ChangeResult result = ledger.change(Actors.named(asked, call.keyName()));
    return switch (result.status()) {
      case CHANGED, UNCHANGED ->
          Answers.outcome(
              200, result.status(), "account", out -> form.writer().write(out, result.account()));
      case CHANGED_MEANWHILE ->
          throw notChanged(
              Problem.of(
                  409,
                  "changed_meanwhile",
                  "another change came after the one named by ifChange; the account's last change"
                      + " is "
                      + result.account().lastChange()),
              result,
              form.writer());
      case LIMITS_CROSSED ->
          throw notChanged(
              Problem.of(422, "limits_crossed", "minBalance would be above maxBalance"),
              result,
              form.writer());
    };
  }

  private static ProblemException notChanged(
      Problem problem, ChangeResult result, JsonWriter writer) {
    return new ProblemException(
        problem.member("account", out -> writer.write(out, result.account())));
  }

  private Response changes(Call call) {
    AccountId id = call.account(ID);
    AssetCode asset = existing(id).asset();
    Query query = call.query();
    JsonWriter writer = forms.of(call).writer();
    return Answers.page(
        "changes",
        ledger.changes(id, query.text(CURSOR), Paging.limit(query)),
        (out, change) -> writer.write(out, change, asset));
  }

  private Response balance(Call call) {
    AccountId id = call.account(ID);
    Query query = call.query();
    JsonWriter writer = forms.of(call).writer();
    Instant recordedAt = query.instant("recordedAt");
    Instant effectiveAt = query.instant("effectiveAt");
    Instant knownAt = query.instant("knownAt");
    if (recordedAt != null && effectiveAt != null) {
      throw Query.bad("invalid_parameter", "recordedAt", "excludes effectiveAt; ask twice");
    }
    if (knownAt != null && effectiveAt == null) {
      throw Query.bad("invalid_parameter", "knownAt", "stands beside effectiveAt, and only there");
    }
    if (effectiveAt != null) {
      var reading =
          knownAt == null
              ? ledger.balanceAsEffective(id, effectiveAt)
              : ledger.balanceAsEffective(id, effectiveAt, knownAt);
      return Answers.json(200, out -> writer.write(out, reading));
    }
    var reading =
        recordedAt == null ? ledger.balance(id) : ledger.balanceAsRecorded(id, recordedAt);
    return Answers.json(200, out -> writer.write(out, reading));
  }

  private Response statement(Call call) {
    Query query = call.query();
    boolean newestFirst = query.word("order", Set.of(NEWEST, OLDEST), NEWEST).equals(NEWEST);
    StatementQuery asked =
        new StatementQuery(call.account(ID), newestFirst, query.text(CURSOR), Paging.limit(query));
    return Answers.page("entries", ledger.statement(asked), forms.of(call).writer()::write);
  }

  private Account existing(AccountId id) {
    return ledger.account(id).orElseThrow(() -> new UnknownAccountException(id));
  }

  private static String address(AccountId id) {
    return PATH + "/" + id;
  }
}
