package dev.partita.server.api;

import dev.partita.Ledger;
import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.util.List;

/** What amounts are amounts of. */
final class Assets {

  private final Ledger ledger;
  // There are no amounts here, so either form will do.
  private final Forms.Form form;

  Assets(Ledger ledger, Forms forms) {
    this.ledger = ledger;
    this.form = forms.minor();
  }

  List<Route> routes() {
    return List.of(
        Route.get("/v1/assets", this::list).access(Access.READ),
        Route.post("/v1/assets", this::register).access(Access.ADMIN));
  }

  private Response list(Call call) {
    return Answers.list("assets", ledger.assets(), form.writer()::write);
  }

  private Response register(Call call) {
    return Answers.list(
        "results", ledger.register(form.reader().readAssets(call.body())), form.writer()::write);
  }
}
