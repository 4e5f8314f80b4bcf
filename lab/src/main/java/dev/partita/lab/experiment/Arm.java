package dev.partita.lab.experiment;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.result.Cell;
import dev.partita.lab.workload.Workload;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of the things that an experiment compares.
 *
 * @param name unique in the experiment
 * @param contender who works
 * @param workload what is asked
 * @param load how it is offered
 * @param emulation what is different from the place as it is
 * @param series which line of a plot it belongs to
 * @param x where on that line, or null
 * @param next an arm that depends on what this one did, and has its turn right after it; or null
 */
public record Arm(
    String name,
    Contender contender,
    Workload workload,
    Load load,
    Emulation emulation,
    String series,
    @Nullable Double x,
    @Nullable Function<Cell, Arm> next) {

  /** What is added to the name of an arm whose commits are slowed. */
  public static final String SLOW = Emulation.SLOW_COMMIT.suffix();

  /** An arm at the place as it is, in a series named after its contender. */
  public Arm(String name, Contender contender, Workload workload, Load load) {
    this(name, contender, workload, load, Emulation.NONE, contender.card().name(), null, null);
  }

  /** An arm in a closed loop. */
  public static Arm closed(String name, Contender contender, Workload workload, int callers) {
    return new Arm(name, contender, workload, new Load.Closed(callers));
  }

  /** An arm of an axis of callers: named after its contender, with as many callers as there. */
  public static Arm over(Contender contender, Workload workload, int callers) {
    String name = contender.card().name();
    return closed(name + "@" + callers, contender, workload, callers).at(name, callers);
  }

  /** The same at this place of an axis, in this series. */
  public Arm at(String newSeries, double newX) {
    return new Arm(name, contender, workload, load, emulation, newSeries, newX, next);
  }

  /** The same, offered otherwise. */
  public Arm loaded(Load newLoad) {
    return new Arm(name, contender, workload, newLoad, emulation, series, x, next);
  }

  /** The same, followed by another that depends on it. */
  public Arm then(Function<Cell, Arm> following) {
    return new Arm(name, contender, workload, load, emulation, series, x, following);
  }

  /** The same under an emulation, with a name that says so; what follows it has it too. */
  public Arm under(Emulation other) {
    Function<Cell, Arm> following = next;
    return new Arm(
        name + other.suffix(),
        contender,
        workload,
        load,
        other,
        series + other.suffix(),
        x,
        following == null ? null : cell -> following.apply(cell).under(other));
  }

  /** The same with every commit slowed to about a millisecond. */
  public Arm slowCommit() {
    return under(Emulation.SLOW_COMMIT);
  }
}
