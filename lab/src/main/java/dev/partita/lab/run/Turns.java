package dev.partita.lab.run;

import dev.partita.lab.contender.Card;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.Place;
import dev.partita.lab.server.ServerFacts;
import dev.partita.lab.server.Timing;
import dev.partita.lab.workload.Picks;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often a hot row can be had: with a hold time of h, from the grant of its lock to the end of
 * the commit, no more than 1 / h transactions a second, however many wait. The hold time is
 * predicted from what a round trip and a commit take by themselves. For one thread.
 */
final class Turns {

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final String PREDICTED = "turns_predicted_per_second";
  private static final String NAME = "turns of the hot row, predicted";

  private final LabDatabase database;
  private final Map<Map<String, String>, Costs> costs = new HashMap<>();

  /**
   * Of cells that ran in a database.
   *
   * @param place what is known of it: what a round trip and a commit take there by themselves
   */
  Turns(LabDatabase database, Place place) {
    this.database = database;
    place
        .baseline("round_trip")
        .ifPresent(
            micros ->
                costs.put(Map.of(), new Costs(micros, place.baseline("commit").orElse(null))));
  }

  /** Medians in microseconds; the commit includes a round trip. */
  private record Costs(double roundTripMicros, @Nullable Double commitMicros) {}

  /** Predicted and measured turns of a cell; empty where no row is hot. */
  List<Figure> of(Arm arm, Cell cell) {
    Card card = arm.contender().card();
    if (card.heldRoundTrips() < 0 || !(arm.workload().picks() instanceof Picks.HotSide)) {
      return List.of();
    }
    Costs here;
    try {
      here = costs(arm.emulation().session());
    } catch (SQLException e) {
      return List.of(Figure.notMeasured(PREDICTED, NAME, "/s", String.valueOf(e.getMessage())));
    }
    if (here.commitMicros() == null) {
      return List.of(
          Figure.notMeasured(PREDICTED, NAME, "/s", "the cost of a commit is not known"));
    }
    double farther = arm.emulation().roundTrip().toNanos() / NANOS_PER_MICRO;
    // The last of the round trips is the commit's own.
    double held =
        Math.max(0, card.heldRoundTrips() - 1) * (here.roundTripMicros() + farther)
            + here.commitMicros()
            + farther;
    double each = cell.figure("transfers_per_commit").orElse((double) arm.workload().batch());
    return List.of(
        Figure.of(PREDICTED, NAME, MICROS_PER_SECOND / held, "/s"),
        Figure.of(
            "turns_measured_per_second",
            "turns of the hot row, measured",
            cell.counts().goodputPerSecond() / each,
            "/s"));
  }

  /** Measured once for each choice of settings. */
  private Costs costs(Map<String, String> session) throws SQLException {
    Costs known = costs.get(session);
    if (known != null) {
      return known;
    }
    ServerFacts facts = ServerFacts.read(database.login(session), null);
    Timing commit = facts.commit();
    Costs measured =
        new Costs(
            facts.selectOne().medianMicros(),
            commit == null ? null : (Double) commit.medianMicros());
    costs.put(session, measured);
    return measured;
  }
}
