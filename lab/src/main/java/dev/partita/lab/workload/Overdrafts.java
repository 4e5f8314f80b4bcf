package dev.partita.lab.workload;

import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes some transfers of another source larger than anybody can pay. */
final class Overdrafts implements Source {

  private final Source source;
  private final double share;
  private final long amount;
  private final SplittableRandom random;

  /** With a share of transfers of this amount. */
  Overdrafts(Source source, double share, long amount, long seed) {
    this.source = source;
    this.share = share;
    this.amount = amount;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public Operation next() {
    List<Movement> movements = new ArrayList<>();
    for (Movement each : source.next().movements()) {
      movements.add(
          random.nextDouble() < share
              ? new Movement(each.id(), each.from(), each.to(), amount)
              : each);
    }
    return new Operation(movements);
  }
}
