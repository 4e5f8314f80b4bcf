package dev.partita.lab.knee;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a search.
 *
 * @param criterion the title of the promise
 * @param kind what was found; only {@link Kind#KNEE} may be published as a knee
 * @param lo highest rate held to pass; 0 if none is
 * @param hi lowest rate held to fail; infinity if none is
 * @param estimate where between them; null if it cannot be told, as without a limit to response
 *     times
 * @param recovery whether the target came back after {@code hi}
 * @param remarks what a reader has to know, in words
 * @param probes all of them, in order
 */
public record Knee(
    String criterion,
    Kind kind,
    double lo,
    double hi,
    @Nullable Estimate estimate,
    Recovery recovery,
    List<String> remarks,
    List<Probe> probes) {

  /** Takes copies. */
  public Knee {
    remarks = List.copyOf(remarks);
    probes = List.copyOf(probes);
  }

  /** What was found. */
  public enum Kind {
    /** Repeatedly {@code lo} passed and {@code hi} failed. */
    KNEE,
    /** The highest rate that the generator is trusted with passed. */
    LOWER_BOUND,
    /** Even the lowest rate failed. */
    NO_PASSING_RATE,
    /** When repeated, the rates did not do again what they had done. */
    UNSTABLE,
    /** Client or host were not fit to measure. */
    ABORTED
  }

  /** Whether the target came back after too much. */
  public enum Recovery {
    /** It did. */
    RECOVERED,
    /** A rate that it had borne was too much for it afterwards. */
    NOT_RECOVERED,
    /** Not measured. */
    UNKNOWN
  }

  /**
   * A rate between those probed.
   *
   * @param rate operations a second
   * @param interval 95 % interval; null with too few repetitions for one
   */
  public record Estimate(double rate, @Nullable Interval interval) {}
}
