package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.Watcher;
import dev.partita.validate.faults.ProcessReading;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What grows is found by the check it is for; what only comes and goes is not. */
class GrowthTest {

  private static final int STRETCHES = 30;
  private static final long MIB = 1 << 20;
  private static final ProcessReading STEADY = reading(100 * MIB, 30 * MIB, 25, 60);
  private static final Pace.Stretch QUICK = stretch(1_000, 5_000);

  @Test
  void holdsForWhatComesAndGoes() {
    SuiteReport report =
        judged(
            i -> i % 3 == 0 ? QUICK : stretch(1_500, 9_000),
            i -> i % 2 == 0 ? STEADY : reading(110 * MIB, 34 * MIB, 30, 70));
    assertThat(report.verdict()).as(report.toString()).isEqualTo(Verdict.HELD);
  }

  @Test
  void findsAHeapThatGrows() {
    finds(Growth.MEMORY, i -> QUICK, i -> reading(100 * MIB, (30 + i) * MIB, 25, 60));
  }

  @Test
  void findsMemoryBesideTheHeapThatGrows() {
    finds(Growth.MEMORY, i -> QUICK, i -> reading((100 + 4L * i) * MIB, 30 * MIB, 25, 60));
  }

  @Test
  void findsThreadsThatStay() {
    finds(Growth.THREADS, i -> QUICK, i -> reading(100 * MIB, 30 * MIB, 25 + i, 60));
  }

  @Test
  void findsConnectionsThatStay() {
    finds(Growth.DESCRIPTORS, i -> QUICK, i -> reading(100 * MIB, 30 * MIB, 25, 60 + i));
  }

  @Test
  void findsAnswersThatTakeLonger() {
    finds(Growth.TIMES, i -> stretch(1_000, 5_000 + 3_000L * i), i -> STEADY);
  }

  @Test
  void saysWhatItCouldNotLookAt() {
    ProcessReading nothing =
        new ProcessReading(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    SuiteReport report = judged(i -> QUICK, i -> nothing);
    assertThat(report.toString()).contains("threads", "not measured");
    assertThat(report.checks()).extracting(each -> each.what()).containsExactly(Growth.TIMES);
  }

  private static void finds(
      String check, IntFunction<Pace.Stretch> stretches, IntFunction<ProcessReading> readings) {
    assertThat(Runs.failed(judged(stretches, readings))).containsExactly(check);
  }

  private static SuiteReport judged(
      IntFunction<Pace.Stretch> stretches, IntFunction<ProcessReading> readings) {
    Suite suite =
        new Suite() {
          @Override
          public String name() {
            return "growth";
          }

          @Override
          public String summary() {
            return "";
          }

          @Override
          public void run(Run run) {
            Growth growth = new Growth();
            for (int i = 0; i < STRETCHES; i++) {
              growth.add(stretches.apply(i), readings.apply(i));
            }
            growth.judge(run);
          }
        };
    return Run.of(suite, 1, Effort.NORMAL, new Place.Embedded(Path.of("unused")), Watcher.NOBODY);
  }

  private static ProcessReading reading(long resident, long heap, long threads, long files) {
    return new ProcessReading(
        OptionalLong.of(resident),
        OptionalLong.of(heap),
        OptionalLong.of(threads),
        OptionalLong.of(files));
  }

  private static Pace.Stretch stretch(long medianMicros, long slowMicros) {
    return new Pace.Stretch(1_000, 1, medianMicros, slowMicros);
  }
}
