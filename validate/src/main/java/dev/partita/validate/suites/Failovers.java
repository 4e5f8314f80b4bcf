package dev.partita.validate.suites;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Ids;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Run;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Teller;
import dev.partita.validate.faults.Node;
import dev.partita.validate.faults.Trio;
import dev.partita.validate.faults.Wait;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

/** Causes failovers, looks at who answers meanwhile, and puts three servers in place again. */
final class Failovers implements AutoCloseable {

  /** Sessions of the ledger that the clients post through. */
  static final String LEDGER = "partita-validate-failover";

  /** Sessions of a second ledger on the same schema, which is asked only here. */
  static final String OTHER = "partita-validate-other";

  private static final String PROBE = "partita-validate-probe";
  private static final String ALONE = "a primary that no standby follows confirms no commit";
  private static final String SILENT = "a primary that no standby follows answers nothing";
  private static final long ANSWERS_BETWEEN = 100;
  private static final int PAUSE_MILLIS_MAX = 300;

  private final Run run;
  private final Trio trio;
  private final Teller teller;
  private final Journal journal;
  private final PostgresLedger other;
  private final SplittableRandom random;
  private final Interruptions interruptions;
  private long furtherAhead;

  Failovers(Run run, Trio trio, Teller teller, Journal journal, PostgresLedger other) {
    this.run = run;
    this.trio = trio;
    this.teller = teller;
    this.journal = journal;
    this.other = other;
    this.random = run.random("failovers");
    this.interruptions = Interruptions.of(this::answers);
  }

  private long answers() {
    return teller.recorded() + teller.refused();
  }

  /** How many were survived so far. */
  long count() {
    return interruptions.noted();
  }

  /** Notes what happened. */
  void report() {
    run.fact("failovers", count());
    interruptions.report(run);
    run.fact("failovers with one standby further ahead", furtherAhead);
  }

  /** Causes one; returns when clients are answered and both standbys follow again. */
  void cause(Failover kind) throws IOException, SQLException, InterruptedException {
    awaitAnswers(ANSWERS_BETWEEN);
    Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX));
    interruptions.begin();
    Node old = trio.primary();
    Runnable after = () -> {};
    switch (kind) {
      case KILLED -> {
        old.kill();
        replace();
      }
      case PAUSED -> {
        old.pause();
        Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX));
        old.kill();
        replaceAndProbe(old);
      }
      case RESUMED -> {
        old.pause();
        replaceAndProbe(old);
        old.resume();
        probe(old);
        old.kill();
      }
      case CUT_OFF -> {
        after = cutOff(old);
        old.kill();
        replace();
      }
    }
    awaitAnswers(1);
    interruptions.end(kind);
    after.run();
    trio.rebuild(old);
  }

  private void replace() throws SQLException, InterruptedException {
    Node old = trio.primary();
    promote();
    follow(old);
  }

  private void replaceAndProbe(Node old) throws IOException, SQLException, InterruptedException {
    promote();
    probe(trio.primary());
    follow(old);
  }

  private void promote() throws SQLException, InterruptedException {
    furtherAhead += trio.promote() > 0 ? 1 : 0;
  }

  private void follow(Node old) throws SQLException {
    for (Node standby : trio.standbys()) {
      if (standby != old) {
        trio.follow(standby);
      }
    }
  }

  private void awaitAnswers(long more) throws SQLException, InterruptedException {
    long wanted = answers() + more;
    Wait.until("clients are answered", () -> answers() >= wanted);
  }

  /** Tries to commit on a server that no standby follows. */
  private void probe(Node node) throws SQLException, InterruptedException {
    FutureTask<Boolean> commit =
        new FutureTask<>(
            () -> {
              try (Connection connection = trio.application(PROBE, node).getConnection();
                  Statement statement = connection.createStatement()) {
                return statement.execute("SELECT pg_logical_emit_message(true, 'probe', '')");
              }
            });
    Thread.ofVirtual().name("probe").start(commit);
    Wait.until(
        "a commit on " + node + " waits", () -> commit.isDone() || node.waiting(PROBE, 0) != 0);
    run.check(ALONE, !commit.isDone(), "a commit on " + node + " came back");
  }

  /**
   * Takes the standbys from the primary and then the session of the ledger's lane, so that what it
   * was about to record is visible on this primary and on no other. Neither the lane on its next
   * connection nor the other ledger on the one it has may answer from that.
   *
   * @return to be run when a standby has taken over
   */
  private Runnable cutOff(Node primary) throws SQLException, InterruptedException {
    // A connection that was there before.
    refused().join();
    trio.cutOff();
    long[] lane = new long[1];
    Wait.until("the lane waits", () -> (lane[0] = primary.waiting(LEDGER, 0)) != 0);
    primary.execute("SELECT pg_terminate_backend(" + lane[0] + ", 10000)");
    Wait.until("the lane waits again", () -> primary.waiting(LEDGER, lane[0]) != 0);
    List<CompletableFuture<PostResult>> asked = new ArrayList<>();
    Journal.Line line =
        journal.line(
            UUID.fromString(
                primary.ask(
                    "SELECT id FROM partita.transfer WHERE group_id IS NULL AND kind <> 4"
                        + " ORDER BY batch DESC, batch_index DESC LIMIT 1")));
    if (line != null) {
      asked.add(other.submit(PostRequest.of(line.request())));
    }
    asked.add(refused());
    Wait.until(
        "the other ledger answers or waits",
        () -> asked.stream().anyMatch(CompletableFuture::isDone) || primary.waiting(OTHER, 0) != 0);
    for (CompletableFuture<PostResult> each : asked) {
      run.check(SILENT, !each.isDone(), primary + " answered " + each.getNow(null));
    }
    return () -> asked.forEach(CompletableFuture::join);
  }

  /** Asks the other ledger for more than a customer has. */
  private CompletableFuture<PostResult> refused() {
    return other.submit(
        PostRequest.of(
            TransferRequest.direct(
                Ids.timeOrdered(Instant.now(), random),
                Bank.EUR.code(),
                AccountId.of("customer:0"),
                Bank.FEES,
                Amount.ofMinor(1_000_000_000_000L))));
  }

  @Override
  public void close() {
    interruptions.close();
  }
}
