package dev.partita.validate.suites;

import dev.partita.validate.Suite;
import java.util.List;

/** All suites, in the order in which they run. */
public final class Suites {

  private static final List<Suite> ALL = List.of(new BankSuite());

  private Suites() {}

  /** All suites. */
  public static List<Suite> all() {
    return ALL;
  }
}
