package dev.partita;

/** Fields of a transfer, in the order in which a repeated id is compared. */
public enum TransferField {
  /** What it does. */
  KIND("kind"),
  /** The record it resolves or undoes. */
  RELATED_ID("relatedId"),
  /** Whose room limits it. */
  UP_TO("upTo"),
  /** Whether a capture keeps what it leaves. */
  KEEP_REMAINDER("keepRemainder"),
  /** When a hold expires. */
  TIMEOUT("timeout"),
  /** What it is an amount of. */
  ASSET("asset"),
  /** The account debited. */
  DEBIT("debit"),
  /** The account credited. */
  CREDIT("credit"),
  /** How much. */
  AMOUNT("amount"),
  /** The instant it counts for. */
  EFFECTIVE_AT("effectiveAt"),
  /** The caller's code. */
  CODE("code"),
  /** The caller's reference. */
  REFERENCE("reference"),
  /** The caller's notes. */
  METADATA("metadata"),
  /** Its group and place in it. */
  GROUP("group");

  private final String text;

  TransferField(String text) {
    this.text = text;
  }

  /** The field's name on every text surface. */
  public String text() {
    return text;
  }
}
