package dev.partita.postgres;

import dev.partita.Amount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows as one text for each column: an array, or a value where all rows have the same. */
final class ArraySink implements RowSink {

  /**
   * Columns that may be sent as one value: few, because each choice of columns is a statement of
   * its own. The batch, when it was recorded, kind and flags.
   */
  private static final BitSet MAY_BE_CONSTANT = BitSet.valueOf(new long[] {0b1_1000_0011});

  private final List<Column> columns = new ArrayList<>();
  private int rows;
  private int next;

  /** One column's values. */
  private static final class Column {
    private final ArrayLiteral array = new ArrayLiteral();
    private @Nullable String first;
    private boolean same = true;
    private boolean used;
    private boolean begun;

    void add(@Nullable String value, boolean quoted) {
      if (begun) {
        same &= Objects.equals(first, value);
      } else {
        first = value;
        begun = true;
      }
      used |= value != null;
      if (quoted) {
        array.addText(value);
      } else {
        array.add(value);
      }
    }
  }

  ArraySink(int columns) {
    for (int i = 0; i < columns; i++) {
      this.columns.add(new Column());
    }
  }

  /** Columns with one value for all rows, among those that may be sent so. */
  BitSet constant() {
    BitSet found = new BitSet();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      found.set(i, column.used && column.same && MAY_BE_CONSTANT.get(i));
    }
    return found;
  }

  /** All other columns that any row has a value in. */
  BitSet varying() {
    BitSet found = new BitSet();
    for (int i = 0; i < columns.size(); i++) {
      found.set(i, columns.get(i).used);
    }
    found.andNot(constant());
    return found;
  }

  /** Every column, used or not. */
  BitSet all() {
    BitSet found = new BitSet();
    found.set(0, columns.size());
    return found;
  }

  /** Whether there is one row only. */
  boolean isSingle() {
    return rows == 1;
  }

  /** The value of a column that all rows share. */
  @Nullable String value(int column) {
    return columns.get(column).first;
  }

  /** The values of a column. */
  ArrayLiteral array(int column) {
    return columns.get(column).array;
  }

  @Override
  public void startRow(int count) {
    rows++;
    next = 0;
  }

  @Override
  public void int2(short value) {
    add(Short.toString(value));
  }

  @Override
  public void int4(int value) {
    add(Integer.toString(value));
  }

  @Override
  public void int8(long value) {
    add(Long.toString(value));
  }

  @Override
  public void int4OrNull(@Nullable Integer value) {
    add(value == null ? null : value.toString());
  }

  @Override
  public void uuid(@Nullable UUID value) {
    add(value == null ? null : value.toString());
  }

  @Override
  public void numeric(@Nullable Amount value) {
    add(value == null ? null : value.toString());
  }

  @Override
  public void timestamp(@Nullable Instant value) {
    add(value == null ? null : RecordColumns.timestamp(value));
  }

  @Override
  public void text(@Nullable String value) {
    columns.get(next++).add(value, true);
  }

  @Override
  public void json(@Nullable String value) {
    columns.get(next++).add(value, true);
  }

  private void add(@Nullable String value) {
    columns.get(next++).add(value, false);
  }
}
