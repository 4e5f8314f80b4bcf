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
 */
public record Card(
    String name,
    String what,
    String lacks,
    List<String> statements,
    int roundTrips,
    String isolation,
    String verifies,
    int connectionsMax) {

  /** Takes a copy. */
  public Card {
    statements = List.copyOf(statements);
  }
}
