package dev.partita.server.api;

import static dev.partita.server.api.Forms.AMOUNTS;
import static dev.partita.server.api.Paging.CURSOR;
import static dev.partita.server.api.Paging.LIMIT;

import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Query;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.util.List;

/** Open holds. */
final class Holds {

  private final Ledger ledger;
  private final Forms forms;

  Holds(Ledger ledger, Forms forms) {
    this.ledger = ledger;
    this.forms = forms;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/v1/holds", this::list)
            .access(Access.READ)
            .parameters("account", "asset", "dueBy", CURSOR, LIMIT, AMOUNTS),
        Route.post("/v1/holds/expire", this::expire).access(Access.POST).parameters(AMOUNTS));
  }

  private Response list(Call call) {
    Query query = call.query();
    HoldQuery asked =
        new HoldQuery(
            query.account("account"),
            query.asset("asset"),
            query.instant("dueBy"),
            query.text(CURSOR),
            Paging.limit(query));
    return Answers.page("holds", ledger.holds(asked), forms.of(call).writer()::write);
  }

  private Response expire(Call call) {
    Forms.Form form = forms.of(call);
    int limit = form.reader().readLimit(call.body());
    return Answers.list("transfers", ledger.expireDue(limit), form.writer()::write);
  }
}
