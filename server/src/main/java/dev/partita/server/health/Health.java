package dev.partita.server.health;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What {@code /health} answers. Asked as often as anybody likes: the probe is asked once a second
 * at most. Safe for use by any number of threads.
 */
public final class Health {

  /** How long an answer of the probe holds. */
  public static final Duration FRESH = Duration.ofSeconds(1);

  /** How long the probe may take before its silence is the answer. */
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Logger LOGGER = System.getLogger(Health.class.getName());

  private static final Trouble STOPPING =
      new Trouble("stopping", "the server is stopping; send requests to another one");
  private static final Trouble SILENT =
      new Trouble("no_answer", "the database or the engine did not answer in time");

  private final HealthProbe probe;
  private final Polled<Optional<Trouble>> looks;
  private final BooleanSupplier stopping;
  private String lastCause = "";

  /**
   * The health of a server.
   *
   * @param stopping whether it takes up no further request
   */
  public Health(HealthProbe probe, BooleanSupplier stopping) {
    this(probe, stopping, FRESH, PATIENCE);
  }

  /** As {@link #Health(HealthProbe, BooleanSupplier)} with times of its own. */
  public Health(HealthProbe probe, BooleanSupplier stopping, Duration fresh, Duration patience) {
    this.probe = probe;
    this.looks = new Polled<>(probe::look, fresh, patience);
    this.stopping = stopping;
  }

  /** What keeps requests from being answered now. */
  public Optional<Trouble> unready() {
    if (stopping.getAsBoolean()) {
      return Optional.of(STOPPING);
    }
    Optional<Trouble> trouble = probe.damage().or(() -> looks.ask().orElse(Optional.of(SILENT)));
    note(trouble);
    return trouble;
  }

  /** What only a new process will mend. */
  public Optional<Trouble> damage() {
    // While it stops, what has ended has ended on purpose.
    return stopping.getAsBoolean() ? Optional.empty() : probe.damage();
  }

  /** Says in the log when readiness changes, and not every time that somebody asks. */
  private synchronized void note(Optional<Trouble> trouble) {
    String cause = trouble.map(Trouble::cause).orElse("");
    if (cause.equals(lastCause)) {
      return;
    }
    lastCause = cause;
    if (trouble.isEmpty()) {
      LOGGER.log(Level.INFO, "ready again");
    } else {
      LOGGER.log(
          Level.WARNING,
          "not ready: {0}: {1} {2}",
          cause,
          trouble.get().sentence(),
          trouble.get().inside());
    }
  }
}
