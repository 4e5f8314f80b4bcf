package dev.partita.cli.input;

import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A decimal as given, well-formed but not yet measured against an asset's scale: the form can be
 * refused before any ledger is opened.
 *
 * @param option the argument it comes from
 * @param text the decimal
 */
public record Decimal(String option, String text) {

  private static final Pattern UNSIGNED = Pattern.compile("[0-9]+(\\.[0-9]+)?");
  private static final Pattern SIGNED = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

  /** An amount as given. */
  public static Decimal unsigned(String option, String text) {
    return checked(option, text, UNSIGNED, "digits with at most one point, without sign");
  }

  /** As {@link #unsigned}, or null if the argument is not given. */
  public static @Nullable Decimal unsignedOrNull(String option, @Nullable String text) {
    return text == null ? null : unsigned(option, text);
  }

  /** A balance or limit as given. */
  public static Decimal signed(String option, String text) {
    return checked(
        option, text, SIGNED, "digits with at most one point, and at most a leading '-'");
  }

  /** As {@link #signed}, or null if the argument is not given. */
  public static @Nullable Decimal signedOrNull(String option, @Nullable String text) {
    return text == null ? null : signed(option, text);
  }

  /** The amount of an asset. */
  public Amount amount(Asset asset) {
    return Arguments.named(option, () -> Amount.parse(text, asset));
  }

  /** The balance in an asset. */
  public Balance balance(Asset asset) {
    return Arguments.named(option, () -> Balance.parse(text, asset));
  }

  private static Decimal checked(String option, String text, Pattern form, String words) {
    if (!form.matcher(text).matches()) {
      throw new MisuseException(
          option,
          Text.quote(text) + " is not a decimal number; write " + words + ", for example 12.50");
    }
    return new Decimal(option, text);
  }
}
