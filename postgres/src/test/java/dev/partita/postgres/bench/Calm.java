package dev.partita.postgres.bench;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Waits for the machine to be quiet. A shared disk or core costs one arm what it spares the other,
 * so a window only counts if disk and processor were near their best before and after it.
 */
final class Calm {
  private static final int PATIENCE_ROUNDS = 60;
  private static final long SPIN_ITERATIONS = 30_000_000L;
  private static final long TOLERATED_PERCENT = 150;

  private final Path directory;
  private long bestDiskNanos = Long.MAX_VALUE;
  private long bestSpinNanos = Long.MAX_VALUE;
  private long sink;

  Calm(Path directory) {
    this.directory = directory;
  }

  boolean isCalm() throws IOException {
    long disk = DiskProbe.sortedNanos(directory, 300)[150];
    long spin = spinNanosOnEveryCore();
    bestDiskNanos = Math.min(bestDiskNanos, disk);
    bestSpinNanos = Math.min(bestSpinNanos, spin);
    return disk * 100 <= bestDiskNanos * TOLERATED_PERCENT
        && spin * 100 <= bestSpinNanos * TOLERATED_PERCENT;
  }

  /** Gives up after a while: a late number is better than none, and its repeats vote. */
  void await() throws IOException, InterruptedException {
    for (int round = 0; round < PATIENCE_ROUNDS && !isCalm(); round++) {
      Thread.sleep(500);
    }
  }

  private long spinNanosOnEveryCore() {
    int cores = Runtime.getRuntime().availableProcessors();
    Thread[] spinners = new Thread[cores];
    long start = System.nanoTime();
    for (int i = 0; i < cores; i++) {
      spinners[i] = Thread.ofPlatform().start(this::spin);
    }
    for (Thread spinner : spinners) {
      try {
        spinner.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return System.nanoTime() - start;
  }

  private void spin() {
    long value = System.nanoTime();
    for (long i = 0; i < SPIN_ITERATIONS; i++) {
      value = value * 6_364_136_223_846_793_005L + 1;
    }
    sink += value; // racy on purpose: only keeps the loop alive
  }
}
