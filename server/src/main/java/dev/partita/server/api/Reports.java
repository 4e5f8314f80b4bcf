package dev.partita.server.api;

import static dev.partita.server.api.Forms.AMOUNTS;
import static dev.partita.server.api.Paging.CURSOR;
import static dev.partita.server.api.Paging.LIMIT;

import dev.partita.Ledger;
import dev.partita.TrialBalance;
import dev.partita.json.JsonWriter;
import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Query;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.util.List;

/** The ledger as a whole. */
final class Reports {

  private final Ledger ledger;
  private final Forms forms;

  Reports(Ledger ledger, Forms forms) {
    this.ledger = ledger;
    this.forms = forms;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/v1/trial-balance", this::trialBalance).access(Access.READ).parameters(AMOUNTS),
        Route.get("/v1/journal", this::journal)
            .access(Access.READ)
            .parameters(CURSOR, LIMIT, AMOUNTS));
  }

  private Response trialBalance(Call call) {
    JsonWriter writer = forms.of(call).writer();
    TrialBalance balance = ledger.trialBalance();
    return Answers.json(200, out -> writer.write(out, balance));
  }

  private Response journal(Call call) {
    Query query = call.query();
    return Answers.page(
        "transfers",
        ledger.journal(query.text(CURSOR), Paging.limit(query)),
        forms.of(call).writer()::write);
  }
}
