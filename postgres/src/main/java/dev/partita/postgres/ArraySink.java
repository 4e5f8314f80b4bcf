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

  private final List<Column> columns = new ArrayList<>();
  private final BitSet mayBeConstant;
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

  /**
   * For so many columns.
   *
   * @param mayBeConstant those that are sent as one value if all rows have the same
   */
  ArraySink(int columns, BitSet mayBeConstant) {
    this.mayBeConstant = mayBeConstant;
    for (int i = 0; i < columns; i++) {
      this.columns.add(new Column());
    }
  }

  /**
   * Which columns are sent, and how.
   *
   * @param constant as one value for all rows
   * @param varying as an array, of a single row as its value
   * @param single whether there is one row only
   */
  record Shape(BitSet constant, BitSet varying, boolean single) {

    boolean has(int column) {
      return constant.get(column) || varying.get(column);
    }

    /** The same without a column. */
    Shape without(int column) {
      BitSet fewerConstant = (BitSet) constant.clone();
      BitSet fewerVarying = (BitSet) varying.clone();
      fewerConstant.clear(column);
      fewerVarying.clear(column);
      return new Shape(fewerConstant, fewerVarying, single);
    }
  }

  /** With the columns in use only. */
  Shape shape() {
    BitSet constant = new BitSet();
    BitSet varying = new BitSet();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      if (column.used) {
        (column.same && mayBeConstant.get(i) ? constant : varying).set(i);
      }
    }
    return new Shape(constant, varying, rows == 1);
  }

  /** With every column as an array, in use or not. */
  Shape fullShape() {
    BitSet varying = new BitSet();
    varying.set(0, columns.size());
    return new Shape(new BitSet(), varying, false);
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
