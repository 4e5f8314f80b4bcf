package dev.partita.lab.contender;

import java.util.List;

/**
 * What a contender is and does, as a report shows it.
 *
 * @param name short and unique: lower-case letters, digits and hyphens
 * @param what in one sentence
 * @param lacks what it leaves out that others do, such as ids or limits; empty if nothing
 * @param statements every statement of one operation, in order
 * @param roundTrips between client and server for one operation, or for one batch where operations
 *     of many callers share it
 * @param isolation such as {@code READ COMMITTED}
 * @param verifies what of an answer is compared with what was asked; empty if nothing is
 * @param connectionsMax most connections it can use; a larger number of callers shares them
 * @param durability what an acknowledged commit has behind it
 * @param heldRoundTrips round trips from the moment a hot row is granted to the end of the commit;
 *     negative where no row is hot
 */
public record Card(
    String name,
    String what,
    String lacks,
    List<String> statements,
    int roundTrips,
    String isolation,
    String verifies,
    int connectionsMax,
    String durability,
    int heldRoundTrips) {

  private static final String AS_THE_SESSION =
      "a commit, with synchronous_commit as the role has it";
  private static final int NOTHING_HOT = -1;

  /** Takes a copy. */
  public Card {
    statements = List.copyOf(statements);
  }

  /** One whose commits are as durable as its session's, and that no row is hot for. */
  public Card(
      String name,
      String what,
      String lacks,
      List<String> statements,
      int roundTrips,
      String isolation,
      String verifies,
      int connectionsMax) {
    this(
        name,
        what,
        lacks,
        statements,
        roundTrips,
        isolation,
        verifies,
        connectionsMax,
        AS_THE_SESSION,
        NOTHING_HOT);
  }

  /** The same, holding the hot row for so many round trips and the commit. */
  Card holding(int roundTripsToCommit) {
    return with(durability, roundTripsToCommit);
  }

  /** The same with something else behind a commit. */
  Card durable(String words) {
    return with(words, heldRoundTrips);
  }

  private Card with(String behindACommit, int roundTripsToCommit) {
    return new Card(
        name,
        what,
        lacks,
        statements,
        roundTrips,
        isolation,
        verifies,
        connectionsMax,
        behindACommit,
        roundTripsToCommit);
  }
}
