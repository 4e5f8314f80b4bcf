package dev.partita.cli.watch;

import dev.partita.postgres.DatabaseCondition;
import dev.partita.postgres.EngineState;
import dev.partita.server.health.HealthProbe;
import dev.partita.server.health.Trouble;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether a ledger in PostgreSQL can be written: its database, its queue and its lanes. */
final class PostgresProbe implements HealthProbe {

  /** A queue that is full for a moment is what a queue is for. */
  private static final Duration FULL_MAX = Duration.ofSeconds(5);

  private final Supplier<DatabaseCondition> database;
  private final Supplier<EngineState> engine;

  PostgresProbe(Supplier<DatabaseCondition> database, Supplier<EngineState> engine) {
    this.database = database;
    this.engine = engine;
  }

  @Override
  public Optional<Trouble> look() {
    if (engine.get().fullFor().compareTo(FULL_MAX) > 0) {
      return Optional.of(
          new Trouble(
              "queue_full", "more is sent here than the database records; send it elsewhere"));
    }
    DatabaseCondition condition = database.get();
    return switch (condition.state()) {
      case WRITABLE -> Optional.empty();
      case UNREACHABLE ->
          trouble("database_unavailable", "the database cannot be reached", condition);
      case STANDBY ->
          trouble("database_standby", "the database is a standby and cannot be written", condition);
      case READ_ONLY -> trouble("database_read_only", "the database is read-only", condition);
      case SCHEMA_UNUSABLE ->
          trouble(
              "schema_unusable",
              "the ledger's schema is gone, or newer than this server understands: upgrade it",
              condition);
    };
  }

  private static Optional<Trouble> trouble(
      String cause, String sentence, DatabaseCondition condition) {
    return Optional.of(new Trouble(cause, sentence, condition.detail()));
  }

  @Override
  public Optional<Trouble> damage() {
    return engine.get().lanesStopped() == 0
        ? Optional.empty()
        : Optional.of(
            new Trouble(
                "lane_stopped",
                "the engine has stopped recording; restart this process, its log says more"));
  }
}
