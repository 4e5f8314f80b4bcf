package dev.partita.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Source;
import dev.partita.lab.load.Window;
import dev.partita.lab.load.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class OpenLoopProberTest {

  private static final Window SHORT =
      new Window(Duration.ZERO, Duration.ofMillis(200), Duration.ofSeconds(5));

  /** Whatever this machine is busy with. */
  private static final Duration ANY_LAG = Duration.ofMinutes(1);

  private final AtomicInteger closed = new AtomicInteger();

  private OpenLoopProber prober(Function<Operation, Answer> target, String complaint) {
    return new OpenLoopProber(
        ask -> rig(target, complaint),
        new OpenLoopProber.Settings(SHORT, Duration.ofSeconds(1), Duration.ofMillis(100), ANY_LAG));
  }

  private Rig rig(Function<Operation, Answer> target, String complaint) {
    Worker worker =
        new Worker() {
          @Override
          public Answer perform(Operation operation) {
            return target.apply(operation);
          }

          @Override
          public void close() {
            closed.incrementAndGet();
          }
        };
    return new Rig() {
      @Override
      public List<Worker> workers() {
        return List.of(worker);
      }

      @Override
      public Source source() {
        return () -> new Operation(List.of(new Movement(new UUID(1, 2), 0, 1, 1)));
      }

      @Override
      public String complaint(Measured measured) {
        return complaint;
      }
    };
  }

  @Test
  void tellsHowAWindowWentAndClosesWhatItOpened() throws Exception {
    OpenLoopProber prober = prober(operation -> Answer.committed(1), null);
    ProbeFacts facts = prober.probe(2_000, 7);
    assertThat(facts.complaint()).isNull();
    assertThat(facts.rate()).isEqualTo(2_000);
    assertThat(facts.offered()).isBetween(300L, 500L);
    assertThat(facts.failures()).isEmpty();
    assertThat(facts.p99MicrosByPart()).hasSize(10);
    assertThat(facts.underWay()).hasSize(20);
    assertThat(facts.underWayMax()).isEqualTo(2_000);
    assertThat(closed).hasValue(1);
    assertThat(prober.probe(2_000, 7).offered()).isEqualTo(facts.offered());
    assertThat(prober.probe(2_000, 8).offered()).isNotEqualTo(facts.offered());
  }

  @Test
  void failuresAreFactsAndComplaintsAreKept() throws Exception {
    ProbeFacts failed = prober(operation -> Answer.failed(Outcome.CONFLICT), null).probe(1_000, 7);
    assertThat(failed.failures()).containsOnlyKeys(Outcome.CONFLICT);
    assertThat(failed.failed()).isEqualTo(failed.offered());
    assertThat(failed.answeredMeanwhile()).isZero();
    assertThat(failed.p99MicrosByPart()).isEmpty();
    assertThat(prober(operation -> Answer.committed(1), "disk busy").probe(500, 7).complaint())
        .isEqualTo("disk busy");
  }

  @Test
  void aGeneratorThatIsLateIsAComplaint() throws Exception {
    OpenLoopProber prober =
        new OpenLoopProber(
            ask -> rig(operation -> Answer.committed(1), null),
            new OpenLoopProber.Settings(
                SHORT, Duration.ofSeconds(1), Duration.ZERO, Duration.ofNanos(1)));
    assertThat(prober.probe(1_000, 7).complaint()).contains("the generator was late");
  }

  @Test
  void aRigIsToldWhatWillBeOfferedToIt() throws Exception {
    List<Rigs.Ask> asks = new ArrayList<>();
    OpenLoopProber prober =
        new OpenLoopProber(
            ask -> {
              asks.add(ask);
              return rig(operation -> Answer.committed(1), null);
            },
            new OpenLoopProber.Settings(
                SHORT, Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofSeconds(1)));
    prober.probe(500, 7);
    prober.recover(900, 400, 7);
    assertThat(asks).extracting(Rigs.Ask::recovers).containsExactly(false, true);
    assertThat(asks).extracting(Rigs.Ask::rate).containsExactly(500.0, 400.0);
    assertThat(asks).extracting(Rigs.Ask::places).containsExactly(500, 900);
    assertThat(asks.getFirst().window()).isEqualTo(SHORT);
    assertThat(asks.getLast().window().warmUp())
        .isEqualTo(SHORT.length().plus(Duration.ofMillis(100)));
  }

  @Test
  void aDeadWorkerIsNoVerdictOnTheTarget() throws Exception {
    OpenLoopProber prober =
        prober(
            operation -> {
              throw new IllegalArgumentException("planted");
            },
            null);
    ProbeFacts facts = prober.probe(500, 7);
    assertThat(facts.complaint()).contains("planted");
    assertThat(Criterion.ResponseTime.USUAL.judge(facts).verdict()).isEqualTo(Verdict.INVALID);
    assertThat(closed).hasValue(1);
  }

  @Test
  void recoveryIsMeasuredAfterTheOverloadWithoutARestart() throws Exception {
    AtomicInteger performed = new AtomicInteger();
    OpenLoopProber prober =
        prober(
            operation -> {
              performed.incrementAndGet();
              return Answer.committed(1);
            },
            null);
    ProbeFacts facts = prober.recover(5_000, 500, 7);
    assertThat(facts.rate()).isEqualTo(500);
    // 0.2 s of the lower rate are the window; 0.2 s of the higher one came before.
    assertThat(facts.offered()).isBetween(50L, 160L);
    assertThat(performed.get()).isGreaterThan(900);
    assertThat(closed).hasValue(1);
  }
}
