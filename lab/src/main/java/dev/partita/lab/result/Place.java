package dev.partita.lab.result;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where it ran.
 *
 * @param host facts of the machine the load came from, in words by name
 * @param server facts of the database, in words by name
 * @param durability settings that decide whether a commit is kept, by name
 * @param baselines what the place costs by itself, such as a round trip or an empty commit
 * @param warnings what a reader must know before the figures, such as that load and database shared
 *     the machine
 */
public record Place(
    Map<String, String> host,
    Map<String, String> server,
    Map<String, String> durability,
    List<Figure> baselines,
    List<String> warnings) {

  /** In place of the value of a server's setting that is not the default and is not told. */
  public static final String UNTOLD = "(changed)";

  /** Takes copies that keep their order. */
  public Place {
    host = Collections.unmodifiableMap(new LinkedHashMap<>(host));
    server = Collections.unmodifiableMap(new LinkedHashMap<>(server));
    durability = Collections.unmodifiableMap(new LinkedHashMap<>(durability));
    baselines = List.copyOf(baselines);
    warnings = List.copyOf(warnings);
  }

  /** A baseline by its key, if it was measured. */
  public Optional<Double> baseline(String key) {
    return baselines.stream().filter(each -> each.key().equals(key)).findFirst().map(Figure::value);
  }

  /** With more warnings. */
  public Place with(List<String> more) {
    List<String> all = new ArrayList<>(warnings);
    all.addAll(more);
    return new Place(host, server, durability, baselines, all);
  }
}
