package dev.partita.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a server measures, and where others have theirs measured too. Names are those
 * that Prometheus shows, without the endings that it adds: {@code _total} to counts, {@code
 * _seconds} to times. Labels must have few values. Safe for use by any number of threads.
 */
public final class Meters implements AutoCloseable {

  static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final Duration[] TIMES = {
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofNanos(2_500_000_000L),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30)
  };
  private static final double[] SIZES = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000};

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Readings readings = new Readings();
  private final JvmGcMetrics collections = new JvmGcMetrics();

  /** Counts up. */
  @FunctionalInterface
  public interface Count {
    /** Adds {@code more}, which is not negative. */
    void add(long more);
  }

  /** Notes durations. */
  @FunctionalInterface
  public interface Times {
    /** Notes one. */
    void note(long nanos);
  }

  /** Notes sizes. */
  @FunctionalInterface
  public interface Sizes {
    /** Notes one. */
    void note(long size);
  }

  /** Measures the JVM and the process, and whatever is registered. */
  public Meters() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    registry.getPrometheusRegistry().register(readings);
  }

  /**
   * Something to be counted, shown as {@code NAME_total}.
   *
   * @param labels a name and its value, another name and its value, …
   */
  public Count counter(String name, String meaning, String... labels) {
    Counter counter = Counter.builder(name).description(meaning).tags(labels).register(registry);
    return counter::increment;
  }

  /** Something that is counted elsewhere, shown as {@code NAME_total}. */
  public void counted(String name, String meaning, LongSupplier count) {
    FunctionCounter.builder(name, count, LongSupplier::getAsLong)
        .description(meaning)
        .register(registry);
  }

  /** Durations, shown as the histogram {@code NAME_seconds}, 0.5 ms … 30 s. */
  public Times times(String name, String meaning, String... labels) {
    Timer timer =
        Timer.builder(name)
            .description(meaning)
            .tags(labels)
            .serviceLevelObjectives(TIMES)
            .register(registry);
    return nanos -> timer.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Sizes, shown as the histogram {@code NAME}, 1 … 5,000. */
  public Sizes sizes(String name, String meaning, String... labels) {
    DistributionSummary summary =
        DistributionSummary.builder(name)
            .description(meaning)
            .tags(labels)
            .serviceLevelObjectives(SIZES)
            .register(registry);
    return summary::record;
  }

  /**
   * Something read whenever the metrics are: at once, or it delays all of them.
   *
   * @param value not shown while it is null
   */
  public void gauge(
      String name, String meaning, Supplier<? extends @Nullable Number> value, String... labels) {
    readings.add(name, meaning, value, labels);
  }

  /** Which program this is, shown as {@code partita_build_info}. */
  public void build(String version) {
    InfoSnapshot info =
        InfoSnapshot.builder()
            .name("partita_build")
            .help("Which version of Partita runs, on which Java")
            .dataPoint(
                InfoDataPointSnapshot.builder()
                    .labels(Labels.of("version", version, "java", Runtime.version().toString()))
                    .build())
            .build();
    registry.getPrometheusRegistry().register(() -> info);
  }

  /** All of it, as text for Prometheus. */
  String scrape(String contentType) {
    return registry.scrape(contentType);
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
