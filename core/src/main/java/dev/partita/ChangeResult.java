package dev.partita;

/**
 * The answer to a {@link ChangeRequest}.
 *
 * @param status the answer
 * @param account the account as it stands now; its {@code lastChange} is the change's number when
 *     CHANGED
 */
public record ChangeResult(Status status, Account account) {

  /** The answers to changing an account. */
  public enum Status {
    /** Changed and recorded. */
    CHANGED,
    /** It already is as asked; nothing was written, whatever {@code ifChange} says. */
    UNCHANGED,
    /** Another change came after the one named by {@code ifChange}. */
    CHANGED_MEANWHILE,
    /** The minimum would be above the maximum. */
    LIMITS_CROSSED
  }
}
