package dev.partita.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gauges that are absent while nobody knows their value; Micrometer's would show NaN, which no
 * alarm notices. Safe for use by any number of threads.
 */
final class Readings implements MultiCollector {

  private final Map<String, Gauge> gauges = new LinkedHashMap<>();

  private record Gauge(String meaning, List<Point> points) {}

  private record Point(Labels labels, Supplier<? extends @Nullable Number> value) {}

  synchronized void add(
      String name, String meaning, Supplier<? extends @Nullable Number> value, String... labels) {
    gauges
        .computeIfAbsent(name, key -> new Gauge(meaning, new ArrayList<>()))
        .points()
        .add(new Point(Labels.of(labels), value));
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> snapshots = new ArrayList<>();
    for (Map.Entry<String, Gauge> gauge : copy().entrySet()) {
      List<GaugeDataPointSnapshot> points = new ArrayList<>();
      for (Point point : gauge.getValue().points()) {
        Number value = read(gauge.getKey(), point);
        if (value != null) {
          points.add(
              GaugeDataPointSnapshot.builder()
                  .labels(point.labels())
                  .value(value.doubleValue())
                  .build());
        }
      }
      if (!points.isEmpty()) {
        GaugeSnapshot.Builder snapshot =
            GaugeSnapshot.builder().name(gauge.getKey()).help(gauge.getValue().meaning());
        points.forEach(snapshot::dataPoint);
        snapshots.add(snapshot.build());
      }
    }
    return new MetricSnapshots(snapshots);
  }

  private synchronized Map<String, Gauge> copy() {
    Map<String, Gauge> copy = new LinkedHashMap<>();
    gauges.forEach(
        (name, gauge) -> copy.put(name, new Gauge(gauge.meaning(), List.copyOf(gauge.points()))));
    return copy;
  }

  private static @Nullable Number read(String name, Point point) {
    try {
      return point.value().get();
    } catch (RuntimeException e) {
      // One that fails must not hide the others.
      System.getLogger(Readings.class.getName())
          .log(Level.WARNING, "metric " + name + " cannot be read", e);
      return null;
    }
  }
}
