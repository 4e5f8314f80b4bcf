package dev.partita.cli.watch;

import dev.partita.UnavailableException;
import dev.partita.postgres.DatabaseReading;
import dev.partita.server.health.Polled;
import dev.partita.server.metrics.Meters;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the database is asked for when the metrics are read: every five seconds at most, however
 * often they are, and never twice at a time. Without an answer its gauges are absent.
 */
final class DatabaseGauges {

  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** From here on a snapshot's owner is named in the log. */
  private static final Duration SNAPSHOT_OLD = Duration.ofMinutes(1);

  private static final double NANOS_PER_SECOND = 1e9;

  private final Supplier<DatabaseReading> source;
  private final Polled<Optional<DatabaseReading>> readings;

  /** For the thread that reads, one at a time. */
  private String warnedOf = "";

  private DatabaseGauges(Supplier<DatabaseReading> source) {
    this.source = source;
    this.readings = new Polled<>(this::read, FRESH, PATIENCE);
  }

  static void register(Meters meters, Supplier<DatabaseReading> source) {
    DatabaseGauges gauges = new DatabaseGauges(source);
    meters.gauge(
        "partita_database_up",
        "Whether the database answers",
        () -> gauges.reading().isPresent() ? 1 : 0);
    gauges.seconds(
        meters,
        "partita_database_oldest_snapshot_seconds",
        "Age of the oldest transaction that keeps dead rows from being removed",
        DatabaseReading::oldestSnapshot);
    gauges.seconds(
        meters,
        "partita_database_clock_behind_seconds",
        "How far the clock is behind the last recorded time",
        DatabaseReading::clockBehind);
    gauges.seconds(
        meters,
        "partita_holds_oldest_overdue_seconds",
        "How long the hold that is overdue the longest has been due",
        DatabaseReading::oldestOverdueHold);
  }

  private void seconds(
      Meters meters, String name, String meaning, Function<DatabaseReading, Duration> value) {
    meters.gauge(name, meaning, () -> seconds(value));
  }

  private @Nullable Number seconds(Function<DatabaseReading, Duration> value) {
    return reading().map(value).map(each -> each.toNanos() / NANOS_PER_SECOND).orElse(null);
  }

  private Optional<DatabaseReading> reading() {
    return readings.ask().flatMap(Function.identity());
  }

  private Optional<DatabaseReading> read() {
    try {
      DatabaseReading reading = source.get();
      warnOfSnapshot(reading);
      return Optional.of(reading);
    } catch (UnavailableException e) {
      return Optional.empty(); // The gauge that says so is partita_database_up.
    }
  }

  private void warnOfSnapshot(DatabaseReading reading) {
    String owner = reading.oldestSnapshotOwner();
    if (reading.oldestSnapshot().compareTo(SNAPSHOT_OLD) >= 0 && !owner.equals(warnedOf)) {
      System.getLogger(DatabaseGauges.class.getName())
          .log(
              Level.WARNING,
              "a transaction has been open for {0} s and keeps PostgreSQL from removing dead rows,"
                  + " which slows hot accounts down: {1}",
              reading.oldestSnapshot().toSeconds(),
              owner);
      warnedOf = owner;
    }
  }
}
