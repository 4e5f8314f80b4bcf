package dev.partita.validate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a run of a suite found. It has a verdict before it has numbers.
 *
 * @param suite its name
 * @param seed repeats it: the same choices in the same order, as far as threads allow
 * @param begunAt when it began
 * @param elapsed how long it took
 * @param verdict what to think of it
 * @param why for an INVALID run why nothing can be concluded, otherwise empty
 * @param facts what happened and how often, in the order found
 * @param checks what was checked, in the order checked
 * @param violations what was found wrong, at most {@link #VIOLATIONS_MAX}
 */
public record SuiteReport(
    String suite,
    long seed,
    Instant begunAt,
    Duration elapsed,
    Verdict verdict,
    String why,
    List<Fact> facts,
    List<Check> checks,
    List<String> violations) {

  /** Most violations that a report lists; it counts all. */
  public static final int VIOLATIONS_MAX = 100;

  /** What to think of a run. */
  public enum Verdict {
    /** Everything that was promised held. */
    HELD,
    /** Something promised did not hold. */
    VIOLATED,
    /** Too little happened, or the suite itself failed: nothing can be concluded. */
    INVALID
  }

  /**
   * Something counted or measured.
   *
   * @param name such as {@code connections killed}
   * @param value the number, or a text
   */
  public record Fact(String name, Value value) {}

  /** A number with its unit, or a text. */
  public sealed interface Value {
    /** A whole number; the unit may be empty. */
    record Count(long value, String unit) implements Value {}

    /** A text. */
    record Text(String value) implements Value {}
  }

  /**
   * Something that had to hold.
   *
   * @param what such as {@code every acknowledged transfer is stored once}
   * @param looked how many things were looked at
   * @param failed how many of them did not hold
   */
  public record Check(String what, long looked, long failed) {}

  /** Takes copies. */
  public SuiteReport {
    facts = List.copyOf(facts);
    checks = List.copyOf(checks);
    violations = List.copyOf(violations);
  }

  /** Whether everything held. */
  public boolean held() {
    return verdict == Verdict.HELD;
  }
}
