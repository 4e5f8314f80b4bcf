package dev.partita.validate.suites;

import dev.partita.validate.Suite;
import java.util.List;

/** All suites that need nothing but a database, in the order in which they run. */
public final class Suites {

  private static final List<Suite> ALL =
      List.of(
          new BankSuite(),
          new ModelSuite(),
          new ContendSuite(),
          new SnapshotSuite(),
          new SlowSuite(),
          new CrashSuite(),
          new FailoverSuite());

  private Suites() {}

  /** All of them. */
  public static List<Suite> all() {
    return ALL;
  }
}
