package dev.partita.lab.knee;

/**
 * A range.
 *
 * @param low where it begins
 * @param high where it ends, not below {@code low}
 */
public record Interval(double low, double high) {}
