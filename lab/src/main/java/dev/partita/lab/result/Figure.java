package dev.partita.lab.result;

import org.jspecify.annotations.Nullable;

/**
 * One number that was measured beside the load, such as WAL bytes a transfer.
 *
 * @param key stable name for programs: lower-case letters, digits and underscores
 * @param name what people read
 * @param value null if it was not measured
 * @param unit such as {@code bytes}, {@code µs} or {@code %}; empty for plain counts
 * @param note why it was not measured, or what it does not say; may be empty
 */
public record Figure(String key, String name, @Nullable Double value, String unit, String note) {

  /** A figure that needs no explanation. */
  public static Figure of(String key, String name, double value, String unit) {
    return new Figure(key, name, value, unit, "");
  }

  /** One that could not be measured, and why. */
  public static Figure notMeasured(String key, String name, String unit, String why) {
    return new Figure(key, name, null, unit, why);
  }
}
