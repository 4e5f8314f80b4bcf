package dev.partita.lab.server;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The server's counters at one moment. Their names are subject and counter, such as {@code
 * wal.bytes}; one that this server does not have, or does not show, is absent.
 *
 * @param serverStartedAt when the server was started, as it says
 * @param counters by name; apart from sizes, positions and dead rows they only ever grow
 * @param resets since when the counters of a subject count, as the server says
 * @param ownCommits transactions of the lab's monitors that are in the counters
 * @param walSyncMethod how the log is made durable; null if syncs are not counted with it
 * @param notes what could not be read, and why
 */
public record ServerSnapshot(
    String serverStartedAt,
    Map<String, Long> counters,
    Map<String, String> resets,
    long ownCommits,
    @Nullable String walSyncMethod,
    List<String> notes) {

  /** Takes copies, ordered by name. */
  public ServerSnapshot {
    counters = Collections.unmodifiableMap(new TreeMap<>(counters));
    resets = Collections.unmodifiableMap(new TreeMap<>(resets));
    notes = List.copyOf(notes);
  }
}
