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

  private Numerics() {}

  /** An amount; null counts as zero. */
  static Amount amountOrZero(ResultSet row, int column) throws SQLException {
    BigDecimal value = row.getBigDecimal(column);
    return value == null ? Amount.ZERO : amount(value);
  }

  /** An amount, or null. */
  static @Nullable Amount amountOrNull(ResultSet row, int column) throws SQLException {
    BigDecimal value = row.getBigDecimal(column);
    return value == null ? null : amount(value);
  }

  /** A balance, or null. */
  static @Nullable Balance balanceOrNull(ResultSet row, int column) throws SQLException {
    BigDecimal value = row.getBigDecimal(column);
    if (value == null) {
      return null;
    }
    BigInteger whole = whole(value);
    if (whole.bitLength() > 127) {
      throw new CorruptionException("a stored balance is out of range: " + value);
    }
    return Balance.ofMinor(whole);
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
