package dev.partita.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.lab.arrival.Arrivals;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The generator does not fool itself. */
class LoopsTest {

  private static final Window TWO_SECONDS =
      Window.of(Duration.ofMillis(200), Duration.ofSeconds(2));
  private static final OpenLoop.Limits WIDE = new OpenLoop.Limits(10_000, Duration.ofSeconds(20));
  private static final int RATE = 500;

  @Test
  void anOpenLoopShowsAStallToEveryoneWhoCameMeanwhile() throws Exception {
    Measured measured =
        OpenLoop.run(
            FakeTarget.frozen(700, 1_700).workers(2_000),
            FakeTarget.movements(),
            Arrivals.constant(RATE),
            WIDE,
            TWO_SECONDS,
            Observer.NOBODY);
    assertThat(measured.brokenIdentities()).isEmpty();
    assertThat(measured.offered()).isEqualTo(2 * RATE);
    var times = measured.answered();
    // One second of arrivals waited, the first of them longest, evenly spread over that second.
    assertThat(times.getCountBetweenValues(50_000, times.getMaxValue()))
        .isGreaterThanOrEqualTo(RATE * 9 / 10);
    assertThat(times.getCountBetweenValues(500_000, times.getMaxValue()))
        .isGreaterThanOrEqualTo(RATE * 4 / 10);
    assertThat(times.getValueAtPercentile(99)).isGreaterThan(300_000);
    // So do the parts of the window: it froze from a quarter of it to three quarters.
    Course course = measured.course();
    assertThat(course.responses()).hasSize(10);
    assertThat(course.responses().get(4).getMinValue()).isGreaterThan(200_000);
    assertThat(course.underWay()).hasSize(20);
    assertThat(course.underWay().get(14)).isGreaterThan(course.underWay().get(8));
    assertThat(course.underWay().get(8)).isGreaterThan(100);
    assertThat(course.underWayMax()).isEqualTo(WIDE.inFlight());
    assertThat(course.answeredMeanwhile()).isGreaterThan(RATE * 3 / 2);
  }

  @Test
  void aClosedLoopHidesTheSameStall() throws Exception {
    int callers = 4;
    FakeTarget target =
        new FakeTarget(
            at -> at >= 700_000_000L && at < 1_700_000_000L ? 1_700_000_000L : at + 2_000_000L);
    Measured measured =
        ClosedLoop.run(
            target.workers(callers),
            caller -> FakeTarget.movements(),
            TWO_SECONDS,
            Observer.NOBODY);
    assertThat(measured.brokenIdentities()).isEmpty();
    assertThat(measured.committed()).isGreaterThan(callers);
    // Each caller meets it once, and offers nothing more until it is over.
    assertThat(target.delayed()).isLessThanOrEqualTo(callers);
  }

  @Test
  void whatFindsNoPlaceIsDroppedAndCountedAndThePacerDoesNotWait() throws Exception {
    Measured measured =
        OpenLoop.run(
            FakeTarget.frozen(0, 2_000).workers(1),
            FakeTarget.movements(),
            Arrivals.constant(RATE),
            new OpenLoop.Limits(1, Duration.ofSeconds(20)),
            TWO_SECONDS,
            Observer.NOBODY);
    assertThat(measured.brokenIdentities()).isEmpty();
    assertThat(measured.offered()).isEqualTo(2 * RATE);
    assertThat(measured.count(Outcome.DROPPED)).isGreaterThan(RATE * 3 / 2);
    assertThat(measured.course().underWay()).contains(1);
    assertThat(measured.dispatched() + measured.count(Outcome.DROPPED))
        .isEqualTo(measured.offered());
  }

  @Test
  void whatIsUnderWayAtTheEndIsCountedAsSuchAndToldToTheJournal() throws Exception {
    LongAdder told = new LongAdder();
    Measured measured =
        OpenLoop.run(
            FakeTarget.frozen(0, 60_000).workers(5),
            FakeTarget.movements(),
            Arrivals.constant(RATE),
            new OpenLoop.Limits(5, Duration.ofSeconds(60)),
            new Window(Duration.ZERO, Duration.ofMillis(300), Duration.ofMillis(100)),
            (operation, answer) -> {
              if (answer.outcome() == Outcome.UNFINISHED) {
                told.increment();
              }
            });
    assertThat(measured.brokenIdentities()).isEmpty();
    assertThat(measured.count(Outcome.UNFINISHED)).isEqualTo(5);
    assertThat(told.sum()).isEqualTo(5);
  }

  @Test
  void everyOperationEndsInExactlyOneOutcome() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Outcome[] outcomes = {
      Outcome.COMMITTED, Outcome.REJECTED, Outcome.CONFLICT, Outcome.ERROR, Outcome.INDETERMINATE
    };
    AtomicLong performed = new AtomicLong();
    Worker worker =
        new Worker() {
          @Override
          public synchronized Answer perform(Operation operation) {
            performed.incrementAndGet();
            Outcome outcome = outcomes[random.nextInt(outcomes.length)];
            return outcome == Outcome.COMMITTED
                ? Answer.committed(1)
                : new Answer(outcome, 0, outcome == Outcome.REJECTED ? 1 : 0, 0);
          }

          @Override
          public void close() {}
        };
    LongAdder told = new LongAdder();
    Measured measured =
        OpenLoop.run(
            List.of(worker),
            FakeTarget.movements(),
            Arrivals.poisson(2_000, seed),
            WIDE,
            new Window(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(10)),
            (operation, answer) -> told.increment());
    assertThat(measured.brokenIdentities()).as("seed " + seed).isEmpty();
    assertThat(measured.dispatched()).isEqualTo(performed.get()).isEqualTo(told.sum());
    assertThat(measured.committed()).isEqualTo(measured.count(Outcome.COMMITTED));
    assertThat(measured.rejected()).isEqualTo(measured.count(Outcome.REJECTED));
  }

  @Test
  void aWorkerIsCalledOnTheThreadsItWants() throws Exception {
    for (Threads wanted : Threads.values()) {
      Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
      Worker worker =
          new Worker() {
            @Override
            public Threads threads() {
              return wanted;
            }

            @Override
            public Answer perform(Operation operation) {
              virtual.add(Thread.currentThread().isVirtual());
              return Answer.committed(1);
            }

            @Override
            public void close() {}
          };
      Window window = Window.of(Duration.ZERO, Duration.ofMillis(100));
      ClosedLoop.run(List.of(worker), caller -> FakeTarget.movements(), window, Observer.NOBODY);
      OpenLoop.run(
          List.of(worker),
          FakeTarget.movements(),
          Arrivals.constant(100),
          WIDE,
          window,
          Observer.NOBODY);
      assertThat(virtual).containsExactly(wanted == Threads.VIRTUAL);
    }
  }

  @Test
  void whatWaitsTooLongForAWorkerWithAThreadOfItsOwnIsATimeout() throws Exception {
    Worker slow =
        new Worker() {
          @Override
          public Threads threads() {
            return Threads.PLATFORM;
          }

          @Override
          public Answer perform(Operation operation) {
            LockSupport.parkNanos(300_000_000);
            return Answer.committed(1);
          }

          @Override
          public void close() {}
        };
    Measured measured =
        OpenLoop.run(
            List.of(slow),
            FakeTarget.movements(),
            Arrivals.constant(50),
            new OpenLoop.Limits(1_000, Duration.ofMillis(400)),
            new Window(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(20)),
            Observer.NOBODY);
    assertThat(measured.brokenIdentities()).isEmpty();
    assertThat(measured.count(Outcome.COMMITTED)).isGreaterThan(0);
    assertThat(measured.count(Outcome.TIMEOUT)).isGreaterThan(30);
  }

  @Test
  void aDeadWorkerMeansThatNothingWasMeasured() {
    Worker dying =
        new Worker() {
          @Override
          public Answer perform(Operation operation) {
            throw new IllegalArgumentException("dead");
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(
            () ->
                ClosedLoop.run(
                    List.of(dying), caller -> FakeTarget.movements(), TWO_SECONDS, Observer.NOBODY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dead");
    assertThatThrownBy(
            () ->
                OpenLoop.run(
                    List.of(dying),
                    FakeTarget.movements(),
                    Arrivals.constant(100),
                    WIDE,
                    new Window(Duration.ZERO, Duration.ofMillis(200), Duration.ofSeconds(1)),
                    Observer.NOBODY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dead");
  }

  /** Whoever presses Ctrl-C waits for it. */
  @Test
  void anInterruptedLoopDoesNotWaitForTheEndOfItsWindow() {
    Window hour = Window.of(Duration.ZERO, Duration.ofHours(1));
    Thread generator = Thread.currentThread();
    Observer interrupting = (operation, answer) -> generator.interrupt();
    assertThatThrownBy(
            () ->
                ClosedLoop.run(
                    new FakeTarget(at -> at + 1_000_000).workers(3),
                    caller -> FakeTarget.movements(),
                    hour,
                    interrupting))
        .isInstanceOf(InterruptedException.class);
    assertThatThrownBy(
            () ->
                OpenLoop.run(
                    FakeTarget.frozen(0, 0).workers(3),
                    FakeTarget.movements(),
                    Arrivals.constant(1_000),
                    WIDE,
                    hour,
                    interrupting))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void anAnswerCountsForTheTimeItCameAndForTheWindowItBeganIn() {
    long second = 1_000_000_000L;
    Tally tally = new Tally(second, 2 * second);
    long[][] spans = {
      {second / 2, second + 1}, // began before and was answered inside
      {second + 5, second + 9}, // all inside
      {2 * second - 1, 3 * second}, // began inside and was answered after
    };
    for (long[] span : spans) {
      tally.offered(span[0]);
      tally.dispatched(span[0]);
      tally.ended(new Tally.Span(span[0], span[0], span[0], span[1]), Answer.committed(1));
    }
    Measured measured = tally.measured("planted", 9);
    assertThat(measured.brokenIdentities()).isEmpty();
    assertThat(measured.offered()).isEqualTo(2);
    assertThat(measured.course().answeredMeanwhile()).isEqualTo(2);
    assertThat(measured.course().responses().getFirst().getTotalCount()).isEqualTo(1);
    assertThat(measured.course().responses().getLast().getTotalCount()).isEqualTo(1);
  }

  @Test
  void countsThatDoNotAddUpAreNamed() {
    Tally tally = new Tally(0, 1_000_000_000L);
    tally.offered(5);
    tally.dispatched(5);
    tally.dispatched(6);
    tally.ended(new Tally.Span(5, 5, 5, 9), Answer.committed(1));
    assertThat(tally.measured("planted").brokenIdentities())
        .containsExactly(
            "offered is 1, dispatched + dropped is 2",
            "dispatched is 2, outcomes + unfinished is 1");
  }
}
