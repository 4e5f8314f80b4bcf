package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualClockTest {

  @Test
  void standsStillUntilItIsMoved() {
    ManualClock clock = new ManualClock();

    assertThat(clock.now()).isEqualTo(ManualClock.START).isEqualTo(clock.now());
    assertThat(clock.advance(Duration.ofSeconds(5))).isEqualTo(ManualClock.START.plusSeconds(5));
    assertThat(clock.advanceMicros(-1)).isEqualTo(clock.now());
    clock.set(ManualClock.START.minusSeconds(9));
    assertThat(clock.now()).isBefore(ManualClock.START);
  }

  @Test
  void losesNoStepHoweverManyThreadsMoveIt() {
    ManualClock clock = new ManualClock();

    ConcurrencyConformance.atOnce(16, i -> () -> clock.advanceMicros(3));

    assertThat(clock.now()).isEqualTo(ManualClock.START.plusNanos(48_000));
  }
}
