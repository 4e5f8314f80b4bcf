package dev.partita.lab.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * How long a statement took on one connection, one after the other, from sending it to having its
 * answer.
 *
 * @param count how many were timed
 * @param medianMicros half of them took at most this long
 * @param p99Micros exceeded by one in a hundred
 */
public record Timing(long count, double medianMicros, double p99Micros) {

  private static final double NANOS_PER_MICRO = 1_000;

  /** The driver sends the first few unprepared, which takes longer. */
  private static final int WARM_UP = 20;

  /** Runs a query so many times, each in a transaction of its own. */
  static Timing of(Connection connection, String query, int count) throws SQLException {
    long[] nanos = new long[count];
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = -WARM_UP; i < count; i++) {
        long start = System.nanoTime();
        try (ResultSet rows = statement.executeQuery()) {
          rows.next();
        }
        if (i >= 0) {
          nanos[i] = System.nanoTime() - start;
        }
      }
    }
    Arrays.sort(nanos);
    return new Timing(
        count, nanos[count / 2] / NANOS_PER_MICRO, nanos[count * 99 / 100] / NANOS_PER_MICRO);
  }
}
