package dev.partita.lab.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the database's sessions were seen waiting for. The lab's own are left out.
 *
 * @param samples how often was looked
 * @param everyMillis time between two samples, as asked for
 * @param sampleMicrosMean how long one took: the load that looking put on the server
 * @param activeSessionsMean sessions in the middle of something, on average; null without samples
 * @param idleSessionsMean sessions waiting for their client between two transactions; null likewise
 * @param shares of the sessions in the middle of something, largest first; they add up to one
 * @param notes what a reader has to know
 */
public record WaitShares(
    long samples,
    long everyMillis,
    @Nullable Double sampleMicrosMean,
    @Nullable Double activeSessionsMean,
    @Nullable Double idleSessionsMean,
    List<Share> shares,
    List<String> notes) {

  /** Takes copies. */
  public WaitShares {
    shares = List.copyOf(shares);
    notes = List.copyOf(notes);
  }

  /**
   * One thing to wait for.
   *
   * @param event type and name as the server gives them, such as {@code Lock:tuple}; {@code
   *     running} for none. {@code Client:ClientRead} is a transaction whose client is not ready
   * @param seen sessions, over all samples
   * @param share of all that were in the middle of something, 0 to 1
   */
  public record Share(String event, long seen, double share) {}
}
