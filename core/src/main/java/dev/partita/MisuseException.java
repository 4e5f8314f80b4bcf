package dev.partita;

import org.jspecify.annotations.Nullable;

/**
 * The caller asked for something that cannot be meant: malformed input, an unknown account, a call
 * in the wrong state. Nothing was done; repeating the call unchanged fails again.
 */
public non-sealed class MisuseException extends LedgerException {

  private static final long serialVersionUID = 1;

  private final @Nullable String field;
  private final @Nullable Integer item;
  private final String detail;

  /** A misuse that no single field can be blamed for. */
  public MisuseException(String message) {
    this(null, null, message);
  }

  /** A misuse of one field, named in the message. */
  public MisuseException(String field, String message) {
    this(null, field, message);
  }

  /**
   * A misuse of one field of one item of a request.
   *
   * @param item zero-based position of the item in the request
   */
  public MisuseException(@Nullable Integer item, @Nullable String field, String message) {
    super(
        (item == null ? "" : "item " + item + ": ") + (field == null ? "" : field + ": ") + message,
        null);
    this.item = item;
    this.detail = message;
    this.field = field;
  }

  /** The field at fault, as the public documentation spells it, or null. */
  public @Nullable String field() {
    return field;
  }

  /** Zero-based position of the item at fault, or null. */
  public @Nullable Integer item() {
    return item;
  }

  /** What is wrong: the message without the item and field in front of it. */
  public String detail() {
    return detail;
  }
}
