package dev.partita.validate.suites;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** One way in which things are slow or stand still. For one thread. */
interface Slowness {

  /** What it is, such as "the network stalls". */
  String what();

  /** Whether nothing is recorded meanwhile, so that requests pile up. */
  boolean holdsUp();

  /** Begins it. */
  void begin() throws IOException, SQLException, InterruptedException;

  /**
   * Lets it last.
   *
   * @param answered how many transfers clients were told about so far
   */
  default void watch(Duration time, LongSupplier answered)
      throws SQLException, InterruptedException {
    Thread.sleep(time);
  }

  /** Ends it. */
  void end() throws IOException, SQLException, InterruptedException;
}
