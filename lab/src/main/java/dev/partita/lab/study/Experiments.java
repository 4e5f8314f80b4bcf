package dev.partita.lab.study;

import dev.partita.lab.experiment.Experiment;
import java.util.List;
import java.util.Optional;

/** Every experiment that can be run by its name alone. */
public final class Experiments {

  private Experiments() {}

  /**
   * All of them, as a list shows them.
   *
   * @param guests take part where contenders are compared with one another
   */
  public static List<Experiment> all(Guests guests) {
    return List.of(
        new Headline(guests.contenders()),
        new Uniform(),
        new Steadiness(guests.contenders()),
        new OverHttp(),
        new HotSide(),
        new ArithmeticInSql(),
        new MoreConnections(),
        new SubAccountCount(),
        new NoBalance(),
        new BalanceReading(),
        new Batching(),
        new PoolSweep(),
        new OneCall(),
        new OrderOfUpdates(),
        new StatementOrFunction(),
        new Replays(),
        new DurableBatches(),
        new BytesPerTransfer(),
        new Replanning());
  }

  /** The one of this name, upper or lower case. */
  public static Optional<Experiment> named(String name, Guests guests) {
    return all(guests).stream()
        .filter(each -> each.description().name().equalsIgnoreCase(name))
        .findFirst();
  }
}
