package dev.partita.client;

import dev.partita.LedgerException;
import dev.partita.Progress;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.VerifyReport;
import dev.partita.json.JsonReader;
import dev.partita.json.Problem;
import dev.partita.json.Verification;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Starts a verification on the server and asks how far it is until it has ended. */
final class RemoteVerification {

  private static final Duration PAUSE_FIRST = Duration.ofMillis(10);

  private final JsonReader reader;
  private final Function<Call<Verification>, Verification> ask;

  RemoteVerification(JsonReader reader, Function<Call<Verification>, Verification> ask) {
    this.reader = reader;
    this.ask = ask;
  }

  VerifyReport run(Progress progress) {
    Objects.requireNonNull(progress, "progress");
    Target target = Target.of("/v1/verifications");
    Verification at =
        ask.apply(Call.send("POST", target, null, Call.Effect.ACTS_ONCE, reader::readVerification));
    Call<Verification> question = Call.get(target.segment(at.id()), reader::readVerification);
    Pauses pauses = new Pauses(PAUSE_FIRST);
    while (at.state() == Verification.State.RUNNING) {
      progress.report(at.done(), at.total());
      pause(pauses.next());
      at = ask.apply(question);
    }
    VerifyReport report = at.report();
    if (report == null) {
      throw failed(question, at);
    }
    progress.report(at.done(), at.total());
    return report;
  }

  private static LedgerException failed(Call<Verification> question, Verification failed) {
    Problem problem = failed.problem();
    return problem == null
        ? new UnavailableException(
            Reason.DATABASE_ERROR,
            Outcome.NOT_POSTED,
            "the server could not complete verification " + failed.id() + "; its log says why",
            null)
        : Problems.exception(question, new Reply.Refused<>(problem, false));
  }

  private static void pause(Duration pause) {
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException(
          Reason.WITHDRAWN,
          Outcome.NOT_POSTED,
          "interrupted; the verification goes on at the server",
          e);
    }
  }
}
