package dev.partita.lab.workload;

import dev.partita.Ids;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Transfers between accounts picked at random, so many in each operation. Ids are version 7: the
 * index of ids grows at one end, as with ids that clients make from the time.
 */
public final class Transfers implements Source {

  private static final int AMOUNT_MAX = 100;

  private final Picker from;
  private final Picker to;
  private final int batch;
  private final SplittableRandom picks;
  private final SplittableRandom amounts;
  private final SplittableRandom ids;

  /**
   * A source for one caller.
   *
   * @param batch transfers in each operation
   * @param seed separate streams of chance are made from it for accounts, amounts and ids
   */
  public Transfers(Picker from, Picker to, int batch, long seed) {
    this.from = from;
    this.to = to;
    this.batch = batch;
    SplittableRandom root = new SplittableRandom(seed);
    this.picks = root.split();
    this.amounts = root.split();
    this.ids = root.split();
  }

  @Override
  public Operation next() {
    if (batch == 1) {
      return new Operation(List.of(movement()));
    }
    List<Movement> movements = new ArrayList<>(batch);
    for (int i = 0; i < batch; i++) {
      movements.add(movement());
    }
    return new Operation(movements);
  }

  private Movement movement() {
    int payer = from.next(picks);
    int paid = to.next(picks);
    while (paid == payer) {
      payer = from.next(picks);
      paid = to.next(picks);
    }
    return new Movement(
        Ids.timeOrdered(Instant.now(), ids), payer, paid, 1 + amounts.nextInt(AMOUNT_MAX));
  }
}
