package dev.partita.validate;

import java.io.IOException;
import java.sql.SQLException;

/** A way of causing faults while money moves, and of showing that nothing was lost or doubled. */
public interface Suite {

  /** What it is called on the command line: lower-case letters. */
  String name();

  /** What it does, in one line. */
  String summary();

  /**
   * Whether it needs a server that it may kill, pause or configure, and so cannot work in a
   * database that is given to it.
   */
  default boolean needsOwnServer() {
    return false;
  }

  /**
   * Runs it once. What it found goes to {@code run}; an exception means that it could not conclude.
   */
  void run(Run run) throws IOException, SQLException, InterruptedException;
}
