package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
import dev.partita.testkit.ModelCheck;
import dev.partita.validate.Database;
import dev.partita.validate.Goal;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Random operations on PostgreSQL and on the test kit's auditor, a second and independent
 * implementation of the rules: every answer and everything that can be read must be the same. Each
 * seed works on a schema of its own. How a series went wrong is shown in as few operations as can
 * be found.
 */
public final class ModelSuite implements Suite {

  private static final String AGREES = "ledger and auditor agree about random operations";
  private static final int THREADS = 2;

  /**
   * Of one seed. The auditor looks at all records again and again, so that longer series are
   * slower; shorter ones are too, because of the schema that each needs.
   */
  private static final int OPERATIONS = 1_000;

  private static final int OPERATIONS_OF_SMOKE = 250;

  private final UnaryOperator<DataSource> connections;
  private final UnaryOperator<Ledger> ledgers;

  /** The suite as it is meant. */
  public ModelSuite() {
    this(UnaryOperator.identity(), UnaryOperator.identity());
  }

  /** The suite on ledgers, or on their connections, with something put around them. */
  ModelSuite(UnaryOperator<DataSource> connections, UnaryOperator<Ledger> ledgers) {
    this.connections = connections;
    this.ledgers = ledgers;
  }

  @Override
  public String name() {
    return "model";
  }

  @Override
  public String summary() {
    return "random operations, each answer compared with a second implementation";
  }

  @Override
  public void run(Run run) throws IOException, SQLException, InterruptedException {
    try (Database database = Database.make(run);
        HikariDataSource pool = Database.pool(database.application("partita-validate-model"))) {
      SchemaPerLedger engine = new SchemaPerLedger(database, connections.apply(pool), ledgers);
      new Series(run, engine).all();
    }
  }

  /** One seed after another, on several threads at once. */
  private static final class Series {
    private final Run run;
    private final SchemaPerLedger engine;
    private final SplittableRandom random;
    private final AtomicLong seeds = new AtomicLong();
    private final int operations;

    Series(Run run, SchemaPerLedger engine) {
      this.run = run;
      this.engine = engine;
      this.random = run.random("seeds");
      this.operations = Math.toIntExact(run.size(OPERATIONS_OF_SMOKE, OPERATIONS));
    }

    void all() throws InterruptedException {
      run.phase("comparing random operations");
      run.fact("commits", "synchronous_commit = " + SchemaPerLedger.SYNCHRONOUS_COMMIT);
      Goal goal = run.goal(4L * OPERATIONS_OF_SMOKE, 100_000);
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          working.add(threads.submit(() -> work(goal)));
        }
        for (Future<?> each : working) {
          each.get();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("a series failed: " + e.getCause(), e.getCause());
      }
      run.fact("seeds", seeds.get());
      run.fact("operations of each seed", operations);
      run.fact("operations", operations());
      run.require("operations", operations(), run.size(OPERATIONS_OF_SMOKE, 10_000));
    }

    private long operations() {
      return seeds.get() * operations;
    }

    private void work(Goal goal) {
      while (!goal.reached(operations()) && !run.violated()) {
        try {
          ModelCheck.run(engine, nextSeed(), operations);
          run.held(AGREES, operations);
        } catch (AssertionError e) {
          run.violation(AGREES, String.valueOf(e.getMessage()));
        }
        seeds.incrementAndGet();
        run.progress(operations(), goal.target(), "operations");
      }
    }

    private synchronized long nextSeed() {
      return random.nextLong(1L << 40);
    }
  }
}
