package dev.partita.testkit;

import dev.partita.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Compares an engine with the {@link Auditor} over random operations: every answer, and again and
 * again everything that can be read. When they disagree, it looks for a shorter series of
 * operations that shows it, and throws an {@link AssertionError} with that series and the seed.
 *
 * <p>System properties: {@code partita.seed} repeats one seed, {@code partita.seeds} says how many,
 * {@code partita.operations} how many operations each.
 */
public final class ModelCheck {

  /** All accounts and holds are compared after so many operations. */
  private static final int STATE_EVERY = 50;

  /** Everything that can be read is compared after so many operations. */
  private static final int EVERYTHING_EVERY = 1_000;

  private ModelCheck() {}

  /**
   * Runs {@code operations} random operations on a fresh ledger.
   *
   * @throws AssertionError if engine and auditor disagree
   */
  public static void run(LedgerUnderTest engine, long seed, int operations) {
    ManualClock clock = new ManualClock();
    Ledger ledger = engine.open(clock);
    Auditor auditor = new Auditor();
    Workload workload = new Workload(seed, auditor.books());
    Duel duel = new Duel(ledger, clock, auditor);
    List<Operation> done = new ArrayList<>();
    try {
      for (int i = 1; i <= operations; i++) {
        Operation operation = workload.next();
        done.add(operation);
        duel.step(operation);
        if (i == operations || i % EVERYTHING_EVERY == 0) {
          duel.compareEverything();
        } else if (i % STATE_EVERY == 0) {
          duel.compareState();
        }
      }
    } catch (AssertionError | RuntimeException e) {
      throw report(engine, seed, operations, workload, done, e);
    } finally {
      engine.dispose(ledger);
    }
  }

  /**
   * The seeds to run: the one of {@code partita.seed}, or else {@code count} (or {@code
   * partita.seeds}) from {@code first} on.
   */
  public static LongStream seeds(long first, int count) {
    Long only = Long.getLong("partita.seed");
    return only == null
        ? LongStream.range(first, first + Integer.getInteger("partita.seeds", count))
        : LongStream.of(only);
  }

  /** A seed that nobody has tried before. */
  public static long freshSeed() {
    return RandomGenerator.getDefault().nextLong(1L << 40) * 1_000;
  }

  /** How many operations to run for each seed, unless {@code partita.operations} says otherwise. */
  public static int operations(int count) {
    return Integer.getInteger("partita.operations", count);
  }

  private static AssertionError report(
      LedgerUnderTest engine,
      long seed,
      int operations,
      Workload workload,
      List<Operation> done,
      Throwable failure) {
    Shrinker.Result shortest = new Shrinker(engine).shrink(done, failure);
    return new AssertionError(
        "engine and auditor disagree, seed "
            + seed
            + ", after "
            + done.size()
            + " operations. Rerun with -Dpartita.seed="
            + seed
            + " -Dpartita.operations="
            + operations
            + "\nThe shortest series found that shows it ("
            + shortest.operations().size()
            + " operations):\n\n"
            + new OperationText(workload.names()).of(shortest.operations())
            + "\n"
            + shortest.failure().getMessage(),
        shortest.failure());
  }
}
