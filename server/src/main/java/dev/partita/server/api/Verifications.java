package dev.partita.server.api;

import dev.partita.Ledger;
import dev.partita.json.Amounts;
import dev.partita.json.JsonWriter;
import dev.partita.json.Verification;
import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Problem;
import dev.partita.server.http.ProblemException;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Verifications: long, so begun by one request and asked about by others. One at a time, on a
 * thread of its own; the last few are kept, until the server stops.
 */
final class Verifications implements AutoCloseable {

  private static final String PATH = "/v1/verifications";
  private static final String ID = "id";
  private static final int KEPT_MAX = 16;

  private final Ledger ledger;
  private final JsonWriter writer = new JsonWriter(Amounts.MINOR);
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("partita-verify").factory());
  // Guarded by this; in the order in which they were begun.
  private final Map<UUID, VerificationRun> runs = new LinkedHashMap<>();
  private @Nullable VerificationRun last;

  Verifications(Ledger ledger) {
    this.ledger = ledger;
  }

  List<Route> routes() {
    return List.of(
        Route.post(PATH, this::begin).access(Access.ADMIN).withoutBody(),
        Route.get(PATH + "/{id}", this::get).access(Access.READ));
  }

  private Response begin(Call call) {
    VerificationRun run = begin();
    executor.execute(run);
    return answer(202, run).header("Location", address(run));
  }

  private synchronized VerificationRun begin() {
    if (last != null && last.isRunning()) {
      throw new ProblemException(
          Problem.of(
                  409,
                  "verification_running",
                  "a verification is running; wait for it, or ask for its report")
              .header("Location", address(last)));
    }
    VerificationRun run = new VerificationRun(ledger);
    last = run;
    runs.put(run.id(), run);
    if (runs.size() > KEPT_MAX) {
      runs.remove(runs.keySet().iterator().next());
    }
    return run;
  }

  private Response get(Call call) {
    UUID id = call.uuid(ID);
    VerificationRun run = find(id);
    if (run == null) {
      throw new ProblemException(
          Problem.of(
              404,
              "verification_not_found",
              "there is no verification "
                  + id
                  + "; the last "
                  + KEPT_MAX
                  + " are kept until the server stops"));
    }
    return answer(200, run);
  }

  private synchronized @Nullable VerificationRun find(UUID id) {
    return runs.get(id);
  }

  private Response answer(int status, VerificationRun run) {
    Verification state = run.state();
    Problem failure = run.failure();
    if (failure == null || state.state() != Verification.State.FAILED) {
      return Answers.json(status, out -> writer.write(out, state));
    }
    return Answers.json(
        status,
        out -> {
          out.writeStartObject();
          out.writeStringProperty("id", state.id());
          out.writeStringProperty("state", state.state().name());
          out.writeNumberProperty("done", state.done());
          out.writeNumberProperty("total", state.total());
          out.writeName("problem");
          failure.write(out, null);
          out.writeEndObject();
        });
  }

  private static String address(VerificationRun run) {
    return PATH + "/" + run.id();
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
