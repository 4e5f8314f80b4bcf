package dev.partita.lab.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private static final int COUNT = 1_000_000;

  @Test
  void constantArrivalsAreEvenAndDoNotDrift() {
    Arrivals arrivals = Arrivals.constant(3_000);
    long last = arrivals.nextNanos();
    long shortest = Long.MAX_VALUE;
    long longest = 0;
    for (int i = 0; i < COUNT; i++) {
      long next = arrivals.nextNanos();
      shortest = Math.min(shortest, next - last);
      longest = Math.max(longest, next - last);
      last = next;
    }
    assertThat(shortest).isEqualTo(333_333);
    assertThat(longest).isEqualTo(333_334);
    assertThat(last).isEqualTo((long) (COUNT * 1e9 / 3_000));
  }

  @Test
  void poissonArrivalsHaveTheRateAndTheSpreadOfTheirKind() {
    Arrivals arrivals = Arrivals.poisson(1_000, 42);
    double sum = 0;
    double squares = 0;
    long last = 0;
    for (int i = 0; i < COUNT; i++) {
      long next = arrivals.nextNanos();
      double gap = next - last;
      sum += gap;
      squares += gap * gap;
      last = next;
    }
    double mean = sum / COUNT;
    double deviation = Math.sqrt(squares / COUNT - mean * mean);
    assertThat(mean).isCloseTo(1e6, Offset.offset(3 * 1e6 / Math.sqrt(COUNT)));
    assertThat(deviation / mean).isCloseTo(1, Offset.offset(0.02));
  }

  @Test
  void theSameSeedMakesTheSameSchedule() {
    Arrivals one = Arrivals.poisson(500, 7);
    Arrivals same = Arrivals.poisson(500, 7);
    Arrivals other = Arrivals.poisson(500, 8);
    boolean differs = false;
    for (int i = 0; i < 1_000; i++) {
      long at = one.nextNanos();
      assertThat(same.nextNanos()).isEqualTo(at);
      differs |= other.nextNanos() != at;
    }
    assertThat(differs).isTrue();
  }
}
