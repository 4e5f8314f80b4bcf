package dev.partita.lab.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is made different from the place as it is, on purpose and declared in the report.
 *
 * @param what in words; empty for nothing
 * @param suffix of the names of arms and series that have it
 * @param session settings of every connection of the contender, by name
 * @param roundTrip what every round trip to the server takes longer; zero for nothing
 */
public record Emulation(
    String what, String suffix, Map<String, String> session, Duration roundTrip) {

  /** Nothing. */
  public static final Emulation NONE = new Emulation("", "", Map.of(), Duration.ZERO);

  /** Every commit takes about a millisecond, as on a disk that is slow or far away. */
  public static final Emulation SLOW_COMMIT =
      new Emulation(
          "commits slowed to about 1 ms (commit_delay=900, commit_siblings=0)",
          ", slow commit",
          Map.of("commit_delay", "900", "commit_siblings", "0"),
          Duration.ZERO);

  /** Commits do not wait for the disk: some may be lost in a crash. */
  public static final Emulation COMMIT_OFF = session(", commit off", "synchronous_commit", "off");

  /** Takes a copy in a fixed order. */
  public Emulation {
    session = Collections.unmodifiableMap(new LinkedHashMap<>(new TreeMap<>(session)));
  }

  /** One setting of every connection. */
  public static Emulation session(String suffix, String name, String value) {
    return new Emulation(name + "=" + value, suffix, Map.of(name, value), Duration.ZERO);
  }

  /** A server that is this much farther away. */
  public static Emulation far(Duration roundTrip) {
    return new Emulation(
        "every round trip takes " + roundTrip.toMillis() + " ms longer",
        ", " + roundTrip.toMillis() + " ms away",
        Map.of(),
        roundTrip);
  }
}
