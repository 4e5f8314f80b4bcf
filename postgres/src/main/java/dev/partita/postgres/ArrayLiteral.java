package dev.partita.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a PostgreSQL array, sent without a type so that the statement's cast decides.
 * One form for every element type, where the driver has a different one for most.
 */
final class ArrayLiteral {

  private final StringBuilder text = new StringBuilder("{");

  /** Of numbers, UUIDs or timestamps, in the order of the collection. */
  static ArrayLiteral of(Collection<?> values) {
    ArrayLiteral array = new ArrayLiteral();
    values.forEach(array::add);
    return array;
  }

  /** Adds a number, UUID or timestamp: anything whose text needs no quotes; null is NULL. */
  ArrayLiteral add(@Nullable Object value) {
    separate();
    text.append(value);
    return this;
  }

  /** Adds a number. */
  ArrayLiteral add(long value) {
    separate();
    text.append(value);
    return this;
  }

  /** Adds text in quotes; null is NULL. */
  ArrayLiteral addText(@Nullable String value) {
    separate();
    if (value == null) {
      text.append("NULL");
      return this;
    }
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    text.append('"');
    return this;
  }

  /** Binds the array to a parameter. */
  void bind(PreparedStatement statement, int parameter) throws SQLException {
    statement.setObject(parameter, text + "}", Types.OTHER);
  }

  private void separate() {
    if (text.length() > 1) {
      text.append(',');
    }
  }
}
