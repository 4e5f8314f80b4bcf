package dev.partita.lab.workload;

import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Sends some transfers of another source a second time, in the place of new ones: from among the
 * latest that went out in earlier operations, and none twice in one operation.
 */
final class Repeats implements Source {

  private static final int REMEMBERED_MIN = 1_024;

  private final Source source;
  private final double share;
  private final SplittableRandom random;
  private final List<Movement> sent = new ArrayList<>();
  private int oldest;

  /** With a share of transfers sent before. */
  Repeats(Source source, double share, long seed) {
    this.source = source;
    this.share = share;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public Operation next() {
    List<Movement> fresh = source.next().movements();
    List<Movement> movements = new ArrayList<>(fresh);
    int start = sent.isEmpty() ? 0 : random.nextInt(sent.size());
    int repeated = 0;
    for (int i = 0; i < fresh.size(); i++) {
      // Drawn whether or not there is one to repeat, so that a seed keeps its meaning.
      if (random.nextDouble() < share && repeated < sent.size()) {
        movements.set(i, sent.get((start + repeated++) % sent.size()));
      }
    }
    for (int i = 0; i < fresh.size(); i++) {
      if (movements.get(i).equals(fresh.get(i))) {
        remember(fresh.get(i), Math.max(REMEMBERED_MIN, fresh.size()));
      }
    }
    return new Operation(movements);
  }

  private void remember(Movement movement, int most) {
    if (sent.size() < most) {
      sent.add(movement);
    } else {
      sent.set(oldest, movement);
      oldest = (oldest + 1) % most;
    }
  }
}
