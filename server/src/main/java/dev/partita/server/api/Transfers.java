package dev.partita.server.api;

import static dev.partita.server.api.Forms.AMOUNTS;
import static dev.partita.server.api.Paging.CURSOR;
import static dev.partita.server.api.Paging.LIMIT;

import dev.partita.Ledger;
import dev.partita.PostResult;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.json.JsonWriter;
import dev.partita.json.PostBody;
import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Problem;
import dev.partita.server.http.ProblemException;
import dev.partita.server.http.Query;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.util.List;
import java.util.UUID;

/** Transfers: posting and finding them. */
final class Transfers {

  private static final String PATH = "/v1/transfers";
  private static final String ID = "id";

  private final Ledger ledger;
  private final Forms forms;

  Transfers(Ledger ledger, Forms forms) {
    this.ledger = ledger;
    this.forms = forms;
  }

  List<Route> routes() {
    return List.of(
        Route.post(PATH, this::post).access(Access.POST).parameters(AMOUNTS),
        Route.get(PATH, this::find)
            .access(Access.READ)
            .parameters(
                "reference",
                "group",
                "related",
                "account",
                "code",
                "from",
                "to",
                CURSOR,
                LIMIT,
                AMOUNTS),
        Route.post(PATH + "/lookup", this::lookup).access(Access.READ).parameters(AMOUNTS),
        Route.get(PATH + "/{id}", this::get).access(Access.READ).parameters(AMOUNTS));
  }

  private Response post(Call call) {
    Forms.Form form = forms.of(call);
    PostBody body = form.reader().readPostBody(call.body());
    PostResult result = ledger.post(body.request());
    return body.single()
        ? posted(result.transfers().getFirst(), form.writer())
        : Answers.json(200, out -> form.writer().write(out, result));
  }

  private static Response posted(TransferResult result, JsonWriter writer) {
    Transfer transfer = result.transfer();
    if (transfer == null) {
      throw new ProblemException(
          Problem.of(422, "refused", refusal(result))
              .member("result", out -> writer.write(out, result)));
    }
    if (result.status() == TransferStatus.CREATED) {
      return Answers.outcome(201, result.status(), "transfer", out -> writer.write(out, transfer))
          .header("Location", PATH + "/" + result.id());
    }
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty("status", result.status().name());
          out.writeBooleanProperty("replay", true);
          out.writeName("transfer");
          writer.write(out, transfer);
          out.writeEndObject();
        });
  }

  private static String refusal(TransferResult result) {
    StringBuilder sentence =
        new StringBuilder("the ledger refused the transfer: ").append(result.status());
    if (result.account() != null) {
      sentence.append(" on account ").append(result.account());
    }
    if (result.field() != null) {
      sentence.append(" in field ").append(result.field().text());
    }
    return sentence.append("; nothing was recorded").toString();
  }

  private Response find(Call call) {
    Query query = call.query();
    TransferQuery asked =
        new TransferQuery(
            query.text("reference"),
            query.uuid("group"),
            query.uuid("related"),
            query.account("account"),
            query.number("code"),
            query.instant("from"),
            query.instant("to"),
            query.text(CURSOR),
            Paging.limit(query));
    return Answers.page("transfers", ledger.find(asked), forms.of(call).writer()::write);
  }

  private Response lookup(Call call) {
    Forms.Form form = forms.of(call);
    List<UUID> ids = form.reader().readIds(call.body());
    return Answers.list("transfers", ledger.transfers(ids), form.writer()::write);
  }

  private Response get(Call call) {
    UUID id = call.uuid(ID);
    Transfer transfer =
        ledger
            .transfer(id)
            .orElseThrow(
                () ->
                    new ProblemException(
                        Problem.of(
                            404,
                            "transfer_not_found",
                            "no transfer " + id + " is recorded; a refused one leaves no trace")));
    JsonWriter writer = forms.of(call).writer();
    return Answers.json(200, out -> writer.write(out, transfer));
  }
}
