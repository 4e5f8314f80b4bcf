package dev.partita.lab.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.Counts;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Setup;
import dev.partita.lab.result.Times;
import dev.partita.lab.result.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that is in order passes every gate, and each fault is stopped by the gate for it alone. */
class GatesTest {

  /** What is known of a run that is in order, to be spoilt. */
  static final class Known {
    @Nullable Double rate = 1_000.0;
    long offered = 10_000;
    long dispatched = 10_000;
    Map<String, Long> outcomes = Map.of("COMMITTED", 9_000L, "REJECTED", 1_000L);
    List<String> brokenIdentities = List.of();
    long lagP99 = 300;
    List<CheckResult> checks = new ArrayList<>(List.of(check(0)));
    String aborted = "";
    Evidence.Beginning beginning = new Evidence.Beginning(1_000, 0);
    String verifies = "row counts";
    Map<String, String> before = Map.of("fsync", "on", "synchronous_commit", "on");
    Map<String, String> after = Map.of("fsync", "on", "synchronous_commit", "on");
    List<String> trouble = List.of();
    double refusals = 0.1;
    long rejected = 1_000;
    long committed = 9_000;
    long clamped;

    List<GateResult> judge() {
      return Gates.judge(
          new Evidence(
              new Setup("naive", "naive", null, "hot", "loop", 16, 16, 1, rate, "", 1, 10, 1),
              new Counts(
                  offered,
                  dispatched,
                  outcomes,
                  committed,
                  rejected,
                  0,
                  900,
                  1_000,
                  brokenIdentities),
              new Times(offered, 1, 1, 1, lagP99, lagP99, lagP99, List.of()),
              checks,
              aborted,
              beginning,
              verifies,
              before,
              after,
              trouble,
              refusals,
              clamped));
    }
  }

  private static CheckResult check(long broken) {
    return new CheckResult("R4", "every acknowledged transfer is stored", broken, List.of(), "");
  }

  @Test
  void aRunInOrderPassesEveryGate() {
    List<GateResult> gates = new Known().judge();
    assertThat(gates).allMatch(GateResult::held);
    assertThat(gates)
        .extracting(GateResult::id)
        .containsExactly(
            "G01", "G02", "G03", "G04", "G05", "G11", "G12", "G13", "G14", "G17", "G21", "G22");
    assertThat(Gates.verdict(gates)).isEqualTo(Verdict.VALID);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault(
            "G01",
            Verdict.INVALID,
            known -> known.brokenIdentities = List.of("offered is 3, dispatched + dropped is 2")),
        fault("G02", Verdict.INVALID, known -> known.checks.add(check(1))),
        fault("G02", Verdict.INVALID, known -> known.checks.clear()),
        fault("G11", Verdict.INVALID, known -> known.aborted = "a caller died"),
        fault(
            "G12", Verdict.INVALID, known -> known.beginning = new Evidence.Beginning(1_000, 500)),
        fault("G12", Verdict.INVALID, known -> known.beginning = new Evidence.Beginning(0, 0)),
        fault("G13", Verdict.INVALID, known -> known.verifies = ""),
        fault(
            "G14",
            Verdict.INVALID,
            known -> known.after = Map.of("fsync", "off", "synchronous_commit", "on")),
        fault("G14", Verdict.INVALID, known -> known.after = Map.of("fsync", "on")),
        fault("G14", Verdict.INVALID, known -> known.before = Map.of()),
        fault("G17", Verdict.INVALID, known -> known.trouble = List.of("the server was restarted")),
        fault("G22", Verdict.INVALID, known -> known.refusals = 0),
        fault("G22", Verdict.INVALID, known -> known.committed = 0),
        fault("G21", Verdict.FLAGGED, known -> known.clamped = 1));
  }

  private static Arguments fault(String gate, Verdict verdict, Consumer<Known> spoil) {
    return Arguments.of(gate, verdict, spoil);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void eachFaultIsStoppedByItsGateAlone(String gate, Verdict verdict, Consumer<Known> spoil) {
    Known known = new Known();
    spoil.accept(known);
    List<GateResult> gates = known.judge();
    assertThat(gates)
        .filteredOn(each -> !each.held())
        .extracting(GateResult::id)
        .containsExactly(gate);
    assertThat(Gates.verdict(gates)).isEqualTo(verdict);
  }

  @Test
  void whatIsDroppedIsTheTargetsFaultWhileTheGeneratorIsOnTime() {
    Known known = new Known();
    known.dispatched = 9_700;
    known.outcomes = Map.of("COMMITTED", 8_700L, "REJECTED", 1_000L, "DROPPED", 300L);
    List<GateResult> gates = known.judge();
    assertThat(gates)
        .filteredOn(each -> !each.held())
        .extracting(GateResult::id)
        .containsExactly("G03", "G04", "G05");
    assertThat(Gates.verdict(gates)).isEqualTo(Verdict.FAILED);
    known.lagP99 = 1_001;
    assertThat(Gates.verdict(known.judge())).isEqualTo(Verdict.INVALID);
  }

  @Test
  void failuresAreATargetThatDidNotDoWhatWasAsked() {
    Known known = new Known();
    known.rate = null;
    known.outcomes = Map.of("COMMITTED", 8_989L, "REJECTED", 1_000L, "CONFLICT", 11L);
    List<GateResult> gates = known.judge();
    assertThat(gates)
        .filteredOn(each -> !each.held())
        .extracting(GateResult::id)
        .containsExactly("G05");
    assertThat(Gates.verdict(gates)).isEqualTo(Verdict.FAILED);
    known.outcomes = Map.of("COMMITTED", 8_990L, "REJECTED", 1_000L, "CONFLICT", 10L);
    assertThat(Gates.verdict(known.judge())).isEqualTo(Verdict.VALID);
  }

  @Test
  void aWindowInWhichNothingWasOfferedShowsNothing() {
    Known known = new Known();
    known.offered = 0;
    known.outcomes = Map.of();
    assertThat(known.judge())
        .filteredOn(each -> !each.held())
        .extracting(GateResult::id)
        .contains("G05");
  }
}
