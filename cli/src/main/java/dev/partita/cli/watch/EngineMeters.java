package dev.partita.cli.watch;

import dev.partita.TransferStatus;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.BatchReport;
import dev.partita.postgres.BatchReport.Way;
import dev.partita.postgres.EngineListener;
import dev.partita.postgres.EngineState;
import dev.partita.server.metrics.Meters;
import dev.partita.server.metrics.Meters.Count;
import dev.partita.server.metrics.Meters.Sizes;
import dev.partita.server.metrics.Meters.Times;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/** Counts what the lanes do, and shows how the queue is. All counts are there from the start. */
final class EngineMeters implements EngineListener {

  private static final TransferStatus[] STATUSES = TransferStatus.values();

  private final Map<TransferStatus, Count> transfers = new EnumMap<>(TransferStatus.class);
  private final Map<Way, Count> batches = new EnumMap<>(Way.class);
  private final Map<Reason, Map<Outcome, Count>> unanswered = new EnumMap<>(Reason.class);
  private final Sizes size;
  private final Times took;
  private final Times commit;
  private final Times waited;
  private final Count inVain;
  private final Count reconnects;
  private final Count commitsUnknown;

  EngineMeters(Meters meters, Supplier<EngineState> state) {
    for (TransferStatus status : STATUSES) {
      transfers.put(
          status,
          meters.counter(
              "partita_transfers",
              "Transfers answered, by status; EXISTS are the repeats",
              "status",
              status.name()));
    }
    for (Way way : Way.values()) {
      batches.put(
          way,
          meters.counter(
              "partita_batches",
              "Batches recorded, by the way they were decided",
              "way",
              way.name().toLowerCase(Locale.ROOT)));
    }
    for (Reason reason : Reason.values()) {
      Map<Outcome, Count> outcomes = new EnumMap<>(Outcome.class);
      for (Outcome outcome : Outcome.values()) {
        outcomes.put(
            outcome,
            meters.counter(
                "partita_transfers_unanswered",
                "Transfers of requests that failed for want of the database or of room",
                "reason",
                reason.name(),
                "outcome",
                outcome.name()));
      }
      unanswered.put(reason, outcomes);
    }
    size = meters.sizes("partita_batch_transfers", "Transfers of a batch");
    took = meters.times("partita_batch", "From a batch's beginning until it was recorded");
    commit = meters.times("partita_batch_commit", "A batch's last round trip: insert and commit");
    waited = meters.times("partita_queue_wait", "How long a batch's oldest request had waited");
    inVain =
        meters.counter(
            "partita_batches_sent_in_vain", "Batches decided ahead, sent and not recorded so");
    reconnects = meters.counter("partita_lane_reconnects", "Connections that lanes made anew");
    commitsUnknown =
        meters.counter("partita_commits_unknown", "Commits that had no answer and were looked up");
    gauges(meters, state);
  }

  private static void gauges(Meters meters, Supplier<EngineState> state) {
    gauge(
        meters,
        state,
        "partita_queue_transfers",
        "Transfers that wait for a lane",
        EngineState::queuedTransfers);
    gauge(
        meters,
        state,
        "partita_queue_bytes",
        "Bytes that wait for a lane",
        EngineState::queuedBytes);
    gauge(
        meters,
        state,
        "partita_set_aside_transfers",
        "Transfers that wait for accounts or ids which others keep locked",
        EngineState::asideTransfers);
    gauge(
        meters,
        state,
        "partita_set_aside_bytes",
        "Bytes that wait for accounts or ids which others keep locked",
        EngineState::asideBytes);
    gauge(
        meters,
        state,
        "partita_queue_transfers_max",
        "Most transfers that may wait, queued and set aside",
        EngineState::queueTransfersMax);
    gauge(
        meters,
        state,
        "partita_queue_bytes_max",
        "Most bytes that may wait, queued and set aside",
        EngineState::queueBytesMax);
    lanes(meters, state, "connected", EngineState::lanesConnected);
    lanes(meters, state, "connecting", s -> s.lanes() - s.lanesConnected() - s.lanesStopped());
    lanes(meters, state, "stopped", EngineState::lanesStopped);
  }

  private static void lanes(
      Meters meters,
      Supplier<EngineState> state,
      String name,
      Function<EngineState, Number> value) {
    gauge(meters, state, "partita_lanes", "Lanes, by their state", value, "state", name);
  }

  private static void gauge(
      Meters meters,
      Supplier<EngineState> state,
      String name,
      String meaning,
      Function<EngineState, Number> value,
      String... labels) {
    meters.gauge(name, meaning, () -> value.apply(state.get()), labels);
  }

  @Override
  public void finished(BatchReport batch) {
    for (TransferStatus status : STATUSES) {
      int count = batch.transfers(status);
      if (count > 0) {
        Objects.requireNonNull(transfers.get(status)).add(count);
      }
    }
    Objects.requireNonNull(batches.get(batch.way())).add(1);
    size.note(batch.transfers());
    took.note(batch.tookNanos());
    commit.note(batch.commitNanos());
    waited.note(batch.waitedNanos());
  }

  @Override
  public void sentInVain(int transfersInVain) {
    inVain.add(1);
  }

  @Override
  public void reconnected() {
    reconnects.add(1);
  }

  @Override
  public void commitUnknown() {
    commitsUnknown.add(1);
  }

  @Override
  public void unanswered(Reason reason, Outcome outcome, int transfersUnanswered) {
    Objects.requireNonNull(Objects.requireNonNull(unanswered.get(reason)).get(outcome))
        .add(transfersUnanswered);
  }
}
