package dev.partita.lab.gate;

import dev.partita.lab.load.Outcome;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The gates, as pure functions of what is known after a cell. Their numbers are those of the
 * documentation; every threshold is in this file.
 */
public final class Gates {

  /** Least and most of what was offered that has to be answered in an open loop. */
  static final double ACHIEVED_MIN = 0.98;

  static final double ACHIEVED_MAX = 1.02;

  /** Most of what was offered that may find no place in an open loop. */
  static final double DROPS_MAX = 0.001;

  /** Most of what was offered that may fail. */
  static final double FAILURES_MAX = 0.001;

  /** A generator that is later than this one time in a hundred was the limit itself. */
  static final long LAG_P99_MAX_MICROS = 1_000;

  /** Half of the first answers must not be failures. */
  static final double FIRST_FAILURES_MAX = 0.5;

  private Gates() {}

  /** Every gate that applies to a cell. */
  public static List<GateResult> judge(Evidence evidence) {
    List<GateResult> gates = new ArrayList<>();
    gates.add(identities(evidence));
    gates.add(reconciliation(evidence));
    if (evidence.setup().ratePerSecond() != null) {
      gates.add(achieved(evidence));
      gates.add(drops(evidence));
    }
    gates.add(failures(evidence));
    gates.add(aborted(evidence));
    gates.add(beginning(evidence));
    gates.add(verified(evidence));
    gates.add(durability(evidence));
    gates.add(trouble(evidence));
    gates.add(recorded(evidence));
    gates.add(worked(evidence));
    return gates;
  }

  /** What a cell is worth after all of them. */
  public static Verdict verdict(List<GateResult> gates) {
    Verdict verdict = Verdict.VALID;
    for (GateResult each : gates) {
      verdict = each.held() ? verdict : verdict.and(each.effect());
    }
    return verdict;
  }

  private static GateResult identities(Evidence evidence) {
    List<String> broken = evidence.counts().brokenIdentities();
    return new GateResult(
        "G01",
        "every operation is counted once",
        broken.isEmpty() ? "all sums equal" : String.join("; ", broken),
        "exact",
        broken.isEmpty(),
        Verdict.INVALID);
  }

  private static GateResult reconciliation(Evidence evidence) {
    List<CheckResult> checks = evidence.checks();
    String broken =
        checks.stream()
            .filter(each -> each.broken() > 0)
            .map(each -> each.name() + ": " + each.broken())
            .collect(Collectors.joining(", "));
    return new GateResult(
        "G02",
        "what is stored agrees with what clients were told",
        checks.isEmpty() ? "not run" : broken.isEmpty() ? checks.size() + " checks clean" : broken,
        "all checks clean",
        !checks.isEmpty() && broken.isEmpty(),
        Verdict.INVALID);
  }

  private static GateResult achieved(Evidence evidence) {
    long offered = evidence.counts().offered();
    double share = offered == 0 ? 0 : (double) (offered - evidence.counts().failed()) / offered;
    return new GateResult(
        "G03",
        "what was offered was answered",
        percent(share),
        percent(ACHIEVED_MIN) + " to " + percent(ACHIEVED_MAX),
        share >= ACHIEVED_MIN && share <= ACHIEVED_MAX,
        shortfall(evidence));
  }

  private static GateResult drops(Evidence evidence) {
    double share = share(evidence.counts().count(Outcome.DROPPED), evidence.counts().offered());
    return new GateResult(
        "G04",
        "operations found a place among those under way",
        percent(share) + " dropped",
        "at most " + percent(DROPS_MAX),
        share <= DROPS_MAX,
        shortfall(evidence));
  }

  /** The target's, unless the generator was late itself: then nobody knows. */
  private static Verdict shortfall(Evidence evidence) {
    return evidence.lag().p99() <= LAG_P99_MAX_MICROS ? Verdict.FAILED : Verdict.INVALID;
  }

  private static GateResult failures(Evidence evidence) {
    double share = share(evidence.counts().failed(), evidence.counts().offered());
    boolean any = evidence.counts().offered() > 0;
    return new GateResult(
        "G05",
        "operations were answered",
        any ? percent(share) + " failed" : "nothing was offered",
        "at most " + percent(FAILURES_MAX) + " failed",
        any && share <= FAILURES_MAX,
        Verdict.FAILED);
  }

  private static GateResult aborted(Evidence evidence) {
    return new GateResult(
        "G11",
        "no client died",
        evidence.aborted().isEmpty() ? "none" : evidence.aborted(),
        "none",
        evidence.aborted().isEmpty(),
        Verdict.INVALID);
  }

  private static GateResult beginning(Evidence evidence) {
    Evidence.Beginning first = evidence.beginning();
    double share = share(first.failed(), first.operations());
    return new GateResult(
        "G12",
        "the target worked from the beginning",
        first.failed() + " of the first " + first.operations() + " failed",
        "fewer than " + percent(FIRST_FAILURES_MAX),
        first.operations() > 0 && share < FIRST_FAILURES_MAX,
        Verdict.INVALID);
  }

  private static GateResult verified(Evidence evidence) {
    return new GateResult(
        "G13",
        "every answer is compared with what was asked",
        evidence.verifies().isEmpty() ? "not compared" : evidence.verifies(),
        "compared",
        !evidence.verifies().isEmpty(),
        Verdict.INVALID);
  }

  private static GateResult durability(Evidence evidence) {
    Map<String, String> changed = new TreeMap<>();
    evidence
        .durabilityBefore()
        .forEach(
            (name, before) -> {
              String after = evidence.durabilityAfter().getOrDefault(name, "not known");
              if (!after.equals(before)) {
                changed.put(name, before + " became " + after);
              }
            });
    boolean read = !evidence.durabilityBefore().isEmpty();
    return new GateResult(
        "G14",
        "commits were as durable at the end as at the beginning",
        !read ? "not read" : changed.isEmpty() ? "unchanged" : changed.toString(),
        "unchanged",
        read && changed.isEmpty(),
        Verdict.INVALID);
  }

  private static GateResult trouble(Evidence evidence) {
    return new GateResult(
        "G17",
        "server and machine were well",
        evidence.trouble().isEmpty() ? "nothing seen" : String.join("; ", evidence.trouble()),
        "no restart, PANIC, FATAL, lack of memory, throttling or full disk",
        evidence.trouble().isEmpty(),
        Verdict.INVALID);
  }

  private static GateResult recorded(Evidence evidence) {
    return new GateResult(
        "G21",
        "no time was too long to be recorded",
        evidence.clamped() + " clamped",
        "0",
        evidence.clamped() == 0,
        Verdict.FLAGGED);
  }

  /**
   * Refusing is fast, and leaves books that are in order: a target that only refuses is not one.
   */
  private static GateResult worked(Evidence evidence) {
    long done = evidence.counts().committed() + evidence.counts().replayed();
    boolean refused = evidence.refusals() == 0 && evidence.counts().rejected() > 0;
    return new GateResult(
        "G22",
        "transfers were made, and only those refused that should be",
        done + " made or repeated, " + evidence.counts().rejected() + " refused",
        evidence.refusals() == 0 ? "some made, none refused" : "some made",
        (done > 0 || evidence.refusals() >= 1) && !refused,
        Verdict.INVALID);
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3g %%", share * 100);
  }
}
