package dev.partita.cli.validate;

import dev.partita.TransferRequest;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rows of one account and day, which the file has in another order than the bank. There is an
 * order in which the balance that each row states follows from the one before; this finds it. For
 * one thread.
 */
final class BankDay {

  /** What the bank's own balances may be off by after one row, in minor units: it rounds. */
  static final BigInteger ROUNDING = BigInteger.TEN;

  /** Steps of the search; days have a few rows, most of them one. */
  private static final int STEPS_MAX = 100_000;

  /**
   * A row.
   *
   * @param request what it asks for
   * @param change what it does to the account's balance, in minor units
   * @param stated the balance after it as the bank says, in minor units
   */
  record Row(TransferRequest request, BigInteger change, BigInteger stated) {

    /** How far the stated balance is from the one before and this row's change. */
    BigInteger gap(BigInteger before) {
      return stated.subtract(before.add(change)).abs();
    }
  }

  /** A place in the search: the rows taken, and the one taken last, whose balance counts. */
  private record Place(BitSet taken, int last) {}

  private final List<Row> rows;
  private final BitSet taken = new BitSet();
  private final List<Row> order = new ArrayList<>();
  private final Set<Place> deadEnds = new HashSet<>();
  private int steps;

  private BankDay(List<Row> rows) {
    this.rows = rows;
  }

  /**
   * Puts the rows of a day in the bank's order; if there is none, leaves them as they are.
   *
   * @param before the balance stated last before this day, in minor units
   */
  static List<Row> ordered(List<Row> rows, BigInteger before) {
    BankDay day = new BankDay(rows);
    return day.continueFrom(before, rows.size()) ? day.order : rows;
  }

  /** Tries what follows exactly before what follows with rounding. */
  private boolean continueFrom(BigInteger before, int last) {
    if (order.size() == rows.size()) {
      return true;
    }
    Place place = new Place((BitSet) taken.clone(), last);
    if (deadEnds.contains(place) || ++steps > STEPS_MAX) {
      return false;
    }
    if (continueWith(before, true) || continueWith(before, false)) {
      return true;
    }
    deadEnds.add(place);
    return false;
  }

  private boolean continueWith(BigInteger before, boolean exactly) {
    for (int i = taken.nextClearBit(0); i < rows.size(); i = taken.nextClearBit(i + 1)) {
      Row row = rows.get(i);
      BigInteger gap = row.gap(before);
      boolean follows =
          exactly ? gap.signum() == 0 : gap.signum() > 0 && gap.compareTo(ROUNDING) <= 0;
      if (!follows) {
        continue;
      }
      taken.set(i);
      order.add(row);
      if (continueFrom(row.stated(), i)) {
        return true;
      }
      order.removeLast();
      taken.clear(i);
    }
    return false;
  }
}
