package dev.partita.postgres;

import dev.partita.Amount;
import dev.partita.Balance;
import dev.partita.CorruptionException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * NUMERIC(39,0) as the values of core. A stored value outside their range is corruption, never 0.
 */
final class Numerics {

  private static final int LONG_DIGITS = 18;

  /** What the driver says of a NaN: that it is out of a decimal's range. */
  private static final String NOT_A_NUMBER = "22003";

  private Numerics() {}

  /** An amount; null counts as zero. */
  static Amount amountOrZero(ResultSet row, int column) throws SQLException {
    BigDecimal value = decimal(row, column);
    return value == null ? Amount.ZERO : amount(value);
  }

  /** An amount, or null. */
  static @Nullable Amount amountOrNull(ResultSet row, int column) throws SQLException {
    BigDecimal value = decimal(row, column);
    return value == null ? null : amount(value);
  }

  /** A balance, or null. */
  static @Nullable Balance balanceOrNull(ResultSet row, int column) throws SQLException {
    BigDecimal value = decimal(row, column);
    if (value == null) {
      return null;
    }
    BigInteger whole = whole(value);
    if (whole.bitLength() > 127) {
      throw new CorruptionException("a stored balance is out of range: " + value);
    }
    return Balance.ofMinor(whole);
  }

  /** A sum of amounts, which may exceed any of them; null counts as zero. */
  static BigInteger totalOrZero(ResultSet row, int column) throws SQLException {
    BigDecimal value = decimal(row, column);
    return value == null ? BigInteger.ZERO : whole(value);
  }

  private static @Nullable BigDecimal decimal(ResultSet row, int column) throws SQLException {
    try {
      return row.getBigDecimal(column);
    } catch (SQLException e) {
      if (NOT_A_NUMBER.equals(e.getSQLState())) {
        throw new CorruptionException("a stored amount is no number: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  private static Amount amount(BigDecimal value) {
    if (value.scale() == 0 && value.precision() <= LONG_DIGITS && value.signum() >= 0) {
      return Amount.ofMinor(value.longValueExact());
    }
    BigInteger whole = whole(value);
    if (whole.signum() < 0 || whole.bitLength() > 127) {
      throw new CorruptionException("a stored amount is out of range: " + value);
    }
    return Amount.ofMinor(whole);
  }

  private static BigInteger whole(BigDecimal value) {
    try {
      return value.toBigIntegerExact();
    } catch (ArithmeticException e) {
      throw new CorruptionException("a stored amount is not whole: " + value, e);
    }
  }
}
