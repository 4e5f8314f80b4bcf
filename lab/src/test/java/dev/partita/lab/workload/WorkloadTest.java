package dev.partita.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.lab.contender.Ability;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Source;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {

  private static final long SEED = 1847;

  static Stream<Picks> allPicks() {
    return Stream.of(
        new Picks.Uniform(), new Picks.HotSide(), new Picks.Pool(2), new Picks.Zipf(2.0));
  }

  @ParameterizedTest
  @MethodSource("allPicks")
  void nobodyPaysThemselvesAndNobodyIsMadeUp(Picks picks) {
    Source source = Workload.of("any", 50, picks).batch(7).source(0, SEED);
    for (Movement each : movements(source, 300)) {
      assertThat(each.from()).isNotEqualTo(each.to()).isBetween(0, 49);
      assertThat(each.to()).isBetween(0, 49);
    }
  }

  @Test
  void theHotSideIsAccountZeroPaidByAllTheOthers() {
    List<Movement> all =
        movements(Workload.of("hot", 20, new Picks.HotSide()).source(0, SEED), 1_000);
    assertThat(all).allMatch(each -> each.to() == 0);
    assertThat(all.stream().map(Movement::from).distinct()).hasSize(19).doesNotContain(0);
  }

  @Test
  void aPoolIsSoManyAccountsThatAreNoNeighbours() {
    List<Movement> all =
        movements(Workload.of("pool", 10_000, new Picks.Pool(5)).source(0, SEED), 500);
    List<Integer> pool =
        all.stream()
            .flatMap(each -> Stream.of(each.from(), each.to()))
            .distinct()
            .sorted()
            .toList();
    assertThat(pool).hasSize(5);
    assertThat(pool.getLast() - pool.getFirst()).isGreaterThan(1_000);
  }

  @ParameterizedTest
  @CsvSource({"1000, 0.65", "1000, 1.0", "10000, 1.0", "1000, 2.0"})
  void zipfIsAsUnevenAsItsFiniteLawSays(int accounts, double exponent) {
    double[] expected = touches(accounts, exponent);
    Skew skew =
        Skew.of(
            Workload.of("zipf", accounts, new Picks.Zipf(exponent)).source(0, SEED),
            accounts,
            200_000);
    assertThat(skew.hottest()).isCloseTo(expected[0], Offset.offset(0.004));
    assertThat(skew.topTen()).isCloseTo(sum(expected, 10), Offset.offset(0.006));
    assertThat(skew.topPercent()).isCloseTo(sum(expected, accounts / 100), Offset.offset(0.006));
    double squares = 0;
    for (double each : expected) {
      squares += each * each;
    }
    assertThat(skew.effectiveAccounts()).isCloseTo(1 / squares, Offset.offset(0.04 / squares));
    assertThat(skew.transfersOnHottest()).isEqualTo(2 * skew.hottest());
  }

  /**
   * Exactly: p by rank is 1/rank^a, given that both sides of a transfer are drawn until they
   * differ.
   */
  private static double[] touches(int accounts, double exponent) {
    double[] shares = new double[accounts];
    double norm = 0;
    for (int i = 0; i < accounts; i++) {
      shares[i] = Math.pow(i + 1, -exponent);
      norm += shares[i];
    }
    double met = 0;
    for (int i = 0; i < accounts; i++) {
      shares[i] /= norm;
      met += shares[i] * shares[i];
    }
    for (int i = 0; i < accounts; i++) {
      shares[i] = shares[i] * (1 - shares[i]) / (1 - met);
    }
    return shares;
  }

  private static double sum(double[] shares, int first) {
    double sum = 0;
    for (int i = 0; i < first; i++) {
      sum += shares[i];
    }
    return sum;
  }

  @Test
  void skewOfCountsIsComputedAsByHand() {
    Skew.Counter counter = new Skew.Counter(200);
    for (int[] each : new int[][] {{0, 1}, {0, 2}, {0, 3}, {4, 1}}) {
      counter.ended(
          new Operation(List.of(new Movement(new UUID(0, 1), each[0], each[1], 1))),
          Answer.committed(1));
    }
    Skew skew = counter.skew();
    assertThat(skew.transfers()).isEqualTo(4);
    assertThat(skew.hottest()).isEqualTo(3 / 8.0);
    assertThat(skew.topTen()).isEqualTo(1.0);
    assertThat(skew.topPercent()).isEqualTo(5 / 8.0);
    assertThat(skew.effectiveAccounts()).isCloseTo(64 / (9.0 + 4 + 3), Offset.offset(1e-9));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 64, 1_000, 65_537})
  void scatteringHitsEveryNumberOnce(int size) {
    Scatter scatter = new Scatter(size, SEED);
    BitSet hit = new BitSet();
    for (int i = 0; i < size; i++) {
      hit.set(scatter.at(i));
    }
    assertThat(hit.length()).isEqualTo(size);
    assertThat(hit.cardinality()).isEqualTo(size);
  }

  @Test
  void aShareOfTransfersIsSentAgainUnchangedAndNoneTwiceInOneOperation() {
    Source source =
        Workload.of("again", 100, new Picks.Uniform()).batch(10).replays(0.3).source(0, SEED);
    Map<UUID, Movement> earlier = new HashMap<>();
    int repeated = 0;
    for (int i = 0; i < 2_000; i++) {
      Set<UUID> now = new HashSet<>();
      Operation operation = source.next();
      for (Movement each : operation.movements()) {
        assertThat(now.add(each.id())).isTrue();
        Movement before = earlier.get(each.id());
        if (before != null) {
          assertThat(each).isEqualTo(before);
          repeated++;
        }
      }
      operation.movements().forEach(each -> earlier.put(each.id(), each));
    }
    assertThat(repeated / 20_000.0).isCloseTo(0.3, Offset.offset(0.02));
  }

  @Test
  void aShareOfTransfersIsOfMoreThanThereIs() {
    Workload workload = Workload.of("vain", 100, new Picks.Uniform()).opening(1_000).refusals(0.25);
    List<Movement> all = movements(workload.source(0, SEED), 8_000);
    long vain = all.stream().filter(each -> each.amount() > 100 * 1_000).count();
    assertThat(vain / 8_000.0).isCloseTo(0.25, Offset.offset(0.02));
    assertThat(workload.needs()).containsExactly(Ability.REFUSES);
    assertThat(workload.refusals(0).replays(0.1).needs()).containsExactly(Ability.UNIQUE_IDS);
  }

  @Test
  void callersDifferAndOneCallersAccountsDoNotChangeWithTheOtherChoices() {
    Workload plain = Workload.of("plain", 1_000, new Picks.Zipf(1.0));
    List<Movement> first = movements(plain.source(0, SEED), 50);
    List<Movement> again = movements(plain.refusals(0.5).source(0, SEED), 50);
    List<Movement> other = movements(plain.source(1, SEED), 50);
    assertThat(again.stream().map(Movement::from))
        .containsExactlyElementsOf(first.stream().map(Movement::from).toList());
    assertThat(other.stream().map(Movement::from).toList())
        .isNotEqualTo(first.stream().map(Movement::from).toList());
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    assertThatThrownBy(() -> Workload.of("one", 1, new Picks.Uniform()))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("accounts");
    assertThatThrownBy(() -> Workload.of("pool", 10, new Picks.Pool(11)))
        .isInstanceOf(MisuseException.class);
    assertThatThrownBy(() -> Workload.of("w", 10, new Picks.Uniform()).batch(0))
        .isInstanceOf(MisuseException.class);
    assertThatThrownBy(() -> new Picks.Zipf(Double.NaN)).isInstanceOf(MisuseException.class);
    assertThatThrownBy(() -> Workload.of("w", 10, new Picks.Uniform()).replays(1.5))
        .isInstanceOf(MisuseException.class);
  }

  private static List<Movement> movements(Source source, int operations) {
    List<Movement> movements = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      movements.addAll(source.next().movements());
    }
    return movements;
  }
}
