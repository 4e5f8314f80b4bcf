package dev.partita.lab.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether something happened during a run after which no figure of it may be used.
 *
 * @param findings what happened, in words; empty is healthy as far as was looked
 * @param logLines lines of the server's log that say so, at most twenty; see the notes if it could
 *     not be read
 * @param diskUsedShare of the file system that was asked about, at the end, 0 to 1; null if unknown
 * @param throttledPeriods in which a control group stopped the generator or the server for having
 *     used its share of CPU time; null if not readable
 * @param oomKills processes of theirs killed for want of memory; null if not readable
 * @param notes what was not looked at, and why
 */
public record Health(
    List<String> findings,
    List<String> logLines,
    @Nullable Double diskUsedShare,
    @Nullable Long throttledPeriods,
    @Nullable Long oomKills,
    List<String> notes) {

  /** Takes copies. */
  public Health {
    findings = List.copyOf(findings);
    logLines = List.copyOf(logLines);
    notes = List.copyOf(notes);
  }
}
