package dev.partita.lab.experiment;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.result.Cell;
import dev.partita.lab.workload.Workload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of the things that an experiment compares.
 *
 * @param name unique in the experiment
 * @param contender who works
 * @param workload what is asked
 * @param load how it is offered
 * @param session settings of every connection of the contender, by name
 * @param emulation why they are set, in words; empty if nothing is emulated
 * @param series which line of a plot it belongs to
 * @param x where on that line, or null
 * @param next an arm that depends on what this one did, and has its turn right after it; or null
 */
public record Arm(
    String name,
    Contender contender,
    Workload workload,
    Load load,
    Map<String, String> session,
    String emulation,
    String series,
    @Nullable Double x,
    @Nullable Function<Cell, Arm> next) {

  /** Commits take about a millisecond, as on a disk that is slow or far away. */
  private static final Map<String, String> SLOW_COMMIT =
      orderedMap("commit_delay", "900", "commit_siblings", "0");

  /** What is added to the name of an arm whose commits are slowed. */
  public static final String SLOW = ", slow commit";

  /** Takes a copy that keeps its order. */
  public Arm {
    session = Collections.unmodifiableMap(new LinkedHashMap<>(session));
  }

  /** An arm in a closed loop, in a series named after its contender. */
  public static Arm closed(String name, Contender contender, Workload workload, int callers) {
    return new Arm(
        name,
        contender,
        workload,
        new Load.Closed(callers),
        Map.of(),
        "",
        contender.card().name(),
        null,
        null);
  }

  /** The same at this place of an axis, in this series. */
  public Arm at(String newSeries, double newX) {
    return new Arm(
        name, contender, workload, load, session, emulation, newSeries, newX, next);
  }

  /** The same, offered otherwise. */
  public Arm loaded(Load newLoad) {
    return new Arm(name, contender, workload, newLoad, session, emulation, series, x, next);
  }

  /** The same with every commit slowed to about a millisecond, under a name that says so. */
  public Arm slowCommit() {
    return with(SLOW_COMMIT, "commits slowed to about 1 ms (commit_delay)", SLOW);
  }

  /** The same with commits that do not wait for the disk. */
  public Arm commitOff() {
    return with(
        Map.of("synchronous_commit", "off"), "commits do not wait for the disk", ", commit off");
  }

  /** The same with settings of its connections. */
  public Arm with(Map<String, String> settings, String why, String suffix) {
    Map<String, String> all = new LinkedHashMap<>(session);
    all.putAll(settings);
    Function<Cell, Arm> following = next;
    return new Arm(
        name + suffix,
        contender,
        workload,
        load,
        all,
        why,
        series + suffix,
        x,
        following == null
            ? null
            : cell -> following.apply(cell).with(settings, why, suffix));
  }

  /** The same, followed by another that depends on it. */
  public Arm then(Function<Cell, Arm> following) {
    return new Arm(name, contender, workload, load, session, emulation, series, x, following);
  }

  private static Map<String, String> orderedMap(String k1, String v1, String k2, String v2) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put(k1, v1);
    map.put(k2, v2);
    return map;
  }
}
