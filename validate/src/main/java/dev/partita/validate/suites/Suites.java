package dev.partita.validate.suites;

import dev.partita.validate.Suite;
import java.util.List;

/** All suites that need nothing but a database, in the order in which they run. */
public final class Suites {

  private Suites() {}

  /**
   * All of them.
   *
   * @param program whose {@code serve} is killed, in a Java virtual machine of its own
   */
  public static List<Suite> all(Class<?> program) {
    return List.of(
        new BankSuite(),
        new HttpSuite(program),
        new ModelSuite(),
        new ContendSuite(),
        new SnapshotSuite(),
        new SlowSuite(),
        new CrashSuite(),
        new FailoverSuite(),
        new SoakSuite(program));
  }
}
