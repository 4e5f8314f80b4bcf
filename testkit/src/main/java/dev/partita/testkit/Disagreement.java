package dev.partita.testkit;

/** An engine answered something else than the {@link Auditor} expects. */
final class Disagreement extends AssertionError {

  private static final long serialVersionUID = 1;

  Disagreement(String what, Object expected, Object found) {
    super(what + "\n  expected: " + expected + "\n  but was:  " + found);
  }

  Disagreement(String what, Throwable cause) {
    super(what + " threw " + cause, cause);
  }

  static void unlessEqual(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new Disagreement(what, expected, found);
    }
  }
}
