package dev.partita.lab.run;

import dev.partita.lab.host.DiskProbe;
import dev.partita.lab.host.HostFacts;
import dev.partita.lab.load.NoOpTarget;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.Place;
import dev.partita.lab.server.ServerFacts;
import dev.partita.lab.server.Timing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a run takes place, as a report tells it. */
final class PlaceFacts {

  private static final long MIB = 1 << 20;
  private static final Duration LIMIT_LENGTH = Duration.ofMillis(200);

  private PlaceFacts() {}

  /** Asks machine and server; takes about a second, and loads the server a little. */
  static Place of(LabDatabase database) throws SQLException, InterruptedException {
    HostFacts host = HostFacts.read(database.directory());
    ServerFacts server = ServerFacts.read(database.login(), database.directory());
    List<String> warnings = new ArrayList<>(server.notes());
    if (server.location().startsWith("on ")) {
      warnings.addFirst(
          "load and database shared this machine's processors: believe ratios, not absolute"
              + " figures");
    }
    if (!host.jvm().debugging().isEmpty()) {
      warnings.add("this JVM was being watched: " + String.join(" ", host.jvm().debugging()));
    }
    return new Place(
        host(host), server(database, server), server.durability(), baselines(server), warnings);
  }

  private static Map<String, String> host(HostFacts host) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("system", host.system());
    facts.put("processor", host.processor() == null ? "not known" : host.processor());
    facts.put("cores", Long.toString(host.cores()));
    facts.put("memory", mebibytes(host.memoryBytes()));
    facts.put("Java", host.java());
    facts.put("heap", mebibytes(host.jvm().heapBytesMax()));
    facts.put("garbage collector", String.join(", ", host.jvm().collectors()));
    facts.put("assertions", host.jvm().assertions());
    if (!host.jvm().flags().isEmpty()) {
      facts.put("JVM options", String.join(" ", host.jvm().flags()));
    }
    return facts;
  }

  private static String mebibytes(@Nullable Long bytes) {
    return bytes == null ? "not known" : String.format(Locale.ROOT, "%,d MiB", bytes / MIB);
  }

  private static Map<String, String> server(LabDatabase database, ServerFacts server) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("PostgreSQL", server.version());
    facts.put("kind", database.kind());
    facts.put("location", server.location());
    facts.putAll(server.changedSettings());
    return facts;
  }

  private static List<Figure> baselines(ServerFacts server) throws InterruptedException {
    List<Figure> figures = new ArrayList<>();
    figures.add(
        Figure.of(
            "generator_limit",
            "most that the generator can offer in an open loop, to a target that does nothing",
            NoOpTarget.openLoopLimit(LIMIT_LENGTH),
            "/s"));
    figures.add(timing("round_trip", "round trip of the smallest query", server.selectOne()));
    figures.add(timing("commit", "smallest durable commit of one connection", server.commit()));
    DiskProbe disk = server.disk();
    figures.add(
        disk == null
            ? Figure.notMeasured(
                "disk_sync", "append of 4 KiB with its sync, median", "µs", "not known here")
            : Figure.of(
                "disk_sync", "append of 4 KiB with its sync, median", disk.medianMicros(), "µs"));
    return figures;
  }

  private static Figure timing(String key, String name, @Nullable Timing timing) {
    return timing == null
        ? Figure.notMeasured(key, name + ", median", "µs", "not allowed here")
        : Figure.of(key, name + ", median", timing.medianMicros(), "µs");
  }
}
