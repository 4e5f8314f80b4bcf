package dev.partita.lab.load;

/**
 * What a target says of an operation.
 *
 * @param outcome of the operation as a whole
 * @param committed transfers made by it
 * @param rejected transfers refused
 * @param replayed transfers that were made before
 */
public record Answer(Outcome outcome, int committed, int rejected, int replayed) {

  /** Made, all of it. */
  public static Answer committed(int transfers) {
    return new Answer(Outcome.COMMITTED, transfers, 0, 0);
  }

  /** Nothing was made, for a reason that is no answer to a transfer. */
  public static Answer failed(Outcome outcome) {
    return new Answer(outcome, 0, 0, 0);
  }

  /** From the answers to its transfers: made if any was made, else refused if any was. */
  public static Answer of(int committed, int rejected, int replayed) {
    Outcome outcome =
        committed > 0 ? Outcome.COMMITTED : rejected > 0 ? Outcome.REJECTED : Outcome.REPLAYED;
    return new Answer(outcome, committed, rejected, replayed);
  }
}
