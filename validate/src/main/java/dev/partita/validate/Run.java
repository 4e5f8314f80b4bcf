package dev.partita.validate;

import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.VerifyReport;
import dev.partita.validate.SuiteReport.Check;
import dev.partita.validate.SuiteReport.Fact;
import dev.partita.validate.SuiteReport.Value;
import dev.partita.validate.SuiteReport.Verdict;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** One run of a suite: what it is run with, and where it says what it found. Thread-safe. */
public final class Run {

  private static final System.Logger LOG = System.getLogger(Run.class.getName());

  private final Suite suite;
  private final long seed;
  private final Effort effort;
  private final Place place;
  private final Watcher watcher;
  private final Map<String, Value> facts = new LinkedHashMap<>();
  private final Map<String, Check> checks = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private boolean violated;

  private Run(Suite suite, long seed, Effort effort, Place place, Watcher watcher) {
    this.suite = suite;
    this.seed = seed;
    this.effort = effort;
    this.place = place;
    this.watcher = watcher;
  }

  /**
   * Runs a suite and says what it found.
   *
   * @throws MisuseException if the suite needs a server of its own and a database was given
   */
  public static SuiteReport of(
      Suite suite, long seed, Effort effort, Place place, Watcher watcher) {
    if (suite.needsOwnServer() && place instanceof Place.Given) {
      throw new MisuseException(
          "url",
          "suite "
              + suite.name()
              + " kills and configures its servers, so it runs on embedded ones alone");
    }
    Run run = new Run(suite, seed, effort, place, watcher);
    Instant begunAt = Instant.now();
    long begunNanos = System.nanoTime();
    try {
      suite.run(run);
    } catch (MisuseException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      run.incomplete("interrupted");
    } catch (IOException | SQLException | RuntimeException | AssertionError e) {
      LOG.log(Level.WARNING, "suite " + suite.name() + " failed, seed " + seed, e);
      run.incomplete("the suite failed: " + e);
    }
    return run.report(begunAt, Duration.ofNanos(System.nanoTime() - begunNanos));
  }

  private synchronized SuiteReport report(Instant begunAt, Duration elapsed) {
    Verdict verdict =
        violated ? Verdict.VIOLATED : missing.isEmpty() ? Verdict.HELD : Verdict.INVALID;
    List<Fact> found = new ArrayList<>();
    facts.forEach((name, value) -> found.add(new Fact(name, value)));
    return new SuiteReport(
        suite.name(),
        seed,
        begunAt,
        elapsed,
        verdict,
        String.join("; ", missing),
        found,
        List.copyOf(checks.values()),
        violations);
  }

  /** The seed of the whole run. */
  public long seed() {
    return seed;
  }

  /** A source of chance for one purpose, the same for the same seed and purpose. */
  public SplittableRandom random(String purpose) {
    return new SplittableRandom(seed * 31 + purpose.hashCode());
  }

  /** Where a database may be made. */
  public Place place() {
    return place;
  }

  /** One of two values: for a run of seconds, or for one that is to be believed. */
  public long size(long smoke, long normal) {
    return effort.size() == Effort.Size.SMOKE ? smoke : normal;
  }

  /** When enough is done; a time asked for begins now. */
  public Goal goal(long smoke, long normal) {
    return new Goal(size(smoke, normal), effort.duration());
  }

  /** The time asked for, or one of two. */
  public Duration duration(Duration smoke, Duration normal) {
    Duration wanted = effort.duration();
    if (wanted != null) {
      return wanted;
    }
    return effort.size() == Effort.Size.SMOKE ? smoke : normal;
  }

  /** Says that something new begins. */
  public void phase(String text) {
    watcher.phase(text);
  }

  /** Says how much of the phase is done; a total of 0 is not known. */
  public void progress(long done, long total, String unit) {
    watcher.progress(done, total, unit);
  }

  /** Notes a count. */
  public synchronized void fact(String name, long value) {
    fact(name, value, "");
  }

  /** Notes a measure with its unit. */
  public synchronized void fact(String name, long value, String unit) {
    facts.put(name, new Value.Count(value, unit));
  }

  /** Notes a text. */
  public synchronized void fact(String name, String value) {
    facts.put(name, new Value.Text(value));
  }

  /**
   * Notes that {@code looked} things were found in order. Together with {@link #violation} it makes
   * the table of checks.
   */
  public synchronized void held(String what, long looked) {
    Check before = checks.getOrDefault(what, new Check(what, 0, 0));
    checks.put(what, new Check(what, before.looked() + looked, before.failed()));
  }

  /** Notes that something that had to hold did not. */
  public synchronized void violation(String what, String detail) {
    violated = true;
    watcher.violation(what, detail);
    Check before = checks.getOrDefault(what, new Check(what, 0, 0));
    checks.put(what, new Check(what, before.looked() + 1, before.failed() + 1));
    if (violations.size() < SuiteReport.VIOLATIONS_MAX) {
      violations.add(what + ": " + detail);
    }
  }

  /** Looks at one thing. */
  public void check(String what, boolean holds, String detail) {
    if (holds) {
      held(what, 1);
    } else {
      violation(what, detail);
    }
  }

  /** Says how often something had to happen for the run to mean anything. */
  public synchronized void require(String what, long count, long min) {
    if (count < min) {
      incomplete("only " + count + " " + what + ", at least " + min + " are needed");
    }
  }

  /** Says that nothing can be concluded, and why. */
  public synchronized void incomplete(String reason) {
    missing.add(reason);
  }

  /** Whether something was found wrong so far. */
  public synchronized boolean violated() {
    return violated;
  }

  /**
   * Whether what a suite has worked in must stay, because something was found wrong; then it notes
   * where that is.
   */
  public boolean leavesEvidence(String where) {
    boolean leaves = violated();
    if (leaves) {
      fact("evidence", where);
    }
    return leaves;
  }

  /** Lets a ledger prove its stored data and notes what it says. */
  public void verify(Ledger ledger) {
    phase("verifying");
    VerifyReport report = ledger.verify((done, total) -> watcher.progress(done, total, "records"));
    String what = "the stored data prove themselves (verify)";
    held(what, report.accounts() + report.transfers());
    for (VerifyReport.Violation each : report.violations()) {
      violation(
          what, "invariant " + each.invariant() + ", " + each.subject() + ": " + each.detail());
    }
  }
}
