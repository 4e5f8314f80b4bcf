package dev.partita.lab.load;

import java.util.List;

/**
 * What one call does: one transfer, or several together.
 *
 * @param movements at least one
 */
public record Operation(List<Movement> movements) {

  /** Takes a copy. */
  public Operation {
    movements = List.copyOf(movements);
  }

  /** How many transfers it makes. */
  public int size() {
    return movements.size();
  }
}
