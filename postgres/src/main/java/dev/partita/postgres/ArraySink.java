package dev.partita.postgres;

import dev.partita.Amount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows as one array a column. */
final class ArraySink implements RowSink {
  private final List<ArrayLiteral> columns = new ArrayList<>();
  private int column;

  List<ArrayLiteral> columns() {
    return columns;
  }

  @Override
  public void startRow(int count) {
    while (columns.size() < count) {
      columns.add(new ArrayLiteral());
    }
    column = 0;
  }

  @Override
  public void int2(short value) {
    next().add(value);
  }

  @Override
  public void int4(int value) {
    next().add(value);
  }

  @Override
  public void int8(long value) {
    next().add(value);
  }

  @Override
  public void int4OrNull(@Nullable Integer value) {
    next().add(value);
  }

  @Override
  public void uuid(@Nullable UUID value) {
    next().add(value);
  }

  @Override
  public void numeric(@Nullable Amount value) {
    next().add(value);
  }

  @Override
  public void timestamp(@Nullable Instant value) {
    next().add(value == null ? null : RecordColumns.timestamp(value));
  }

  @Override
  public void text(@Nullable String value) {
    next().addText(value);
  }

  @Override
  public void json(@Nullable String value) {
    next().addText(value);
  }

  private ArrayLiteral next() {
    return columns.get(column++);
  }
}
