package dev.partita.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement being put together: its text and, in the same order, its parameters. Values go in as
 * parameters only. Not safe for use by several threads.
 */
final class SqlQuery {

  /** Nothing is recorded, or counts, before or after these. */
  private static final Instant EARLIEST = LocalDateTime.of(0, 1, 1, 0, 0).toInstant(ZoneOffset.UTC);

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final StringBuilder text = new StringBuilder();
  private final List<@Nullable Object> parameters = new ArrayList<>();

  /** Adds text with a {@code ?} for each of the parameters. */
  SqlQuery add(String sql, @Nullable Object... values) {
    text.append(sql);
    for (Object value : values) {
      parameters.add(value);
    }
    return this;
  }

  /** Adds another statement's text and parameters. */
  SqlQuery add(SqlQuery other) {
    text.append(other.text);
    parameters.addAll(other.parameters);
    return this;
  }

  boolean isEmpty() {
    return text.isEmpty();
  }

  String text() {
    return text.toString();
  }

  void bind(PreparedStatement statement) throws SQLException {
    for (int i = 0; i < parameters.size(); i++) {
      Object value = parameters.get(i);
      statement.setObject(
          i + 1, value instanceof Instant instant ? cut(instant).atOffset(ZoneOffset.UTC) : value);
    }
  }

  /** The earliest instant in whole microseconds that is not before this one. */
  static Instant up(Instant instant) {
    if (instant.isAfter(LATEST)) {
      return LATEST; // Nothing is recorded that late.
    }
    Instant cut = instant.truncatedTo(ChronoUnit.MICROS);
    return cut.equals(instant) ? cut : cut.plus(1, ChronoUnit.MICROS);
  }

  /** The latest instant in whole microseconds that is not after this one, within what SQL takes. */
  private static Instant cut(Instant instant) {
    if (instant.isBefore(EARLIEST)) {
      return EARLIEST;
    }
    return instant.isAfter(LATEST) ? LATEST : instant.truncatedTo(ChronoUnit.MICROS);
  }
}
