package dev.partita.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.load.Movement;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PickerTest {

  private static final int DRAWS = 400_000;

  @Test
  void zipfFollowsItsLaw() {
    int accounts = 1_000;
    int[] counts = count(Picker.zipf(0, accounts, 1.0), accounts);
    double norm = 0;
    for (int rank = 1; rank <= accounts; rank++) {
      norm += 1.0 / rank;
    }
    for (int rank : new int[] {1, 2, 3, 10, 100}) {
      double expected = DRAWS / (rank * norm);
      assertThat((double) counts[rank - 1])
          .as("rank " + rank)
          .isCloseTo(expected, Offset.offset(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void uniformIsEvenAndStaysInItsRange() {
    int[] counts = count(Picker.uniform(10, 110), 200);
    for (int i = 0; i < 200; i++) {
      if (i < 10 || i >= 110) {
        assertThat(counts[i]).isZero();
      } else {
        assertThat((double) counts[i]).isCloseTo(4_000, Offset.offset(400.0));
      }
    }
  }

  @Test
  void transfersRepeatWithTheSeedApartFromTheTimeInTheirIdsAndNeverPayThemselves() {
    Transfers one = new Transfers(Picker.uniform(0, 3), Picker.one(0), 5, 9);
    Transfers same = new Transfers(Picker.uniform(0, 3), Picker.one(0), 5, 9);
    Set<UUID> ids = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      var others = same.next().movements().iterator();
      for (Movement each : one.next().movements()) {
        Movement other = others.next();
        assertThat(each.from()).isEqualTo(other.from()).isNotEqualTo(each.to());
        assertThat(each.to()).isZero();
        assertThat(each.amount()).isEqualTo(other.amount()).isBetween(1L, 100L);
        assertThat(each.id().version()).isEqualTo(7);
        assertThat(each.id().variant()).isEqualTo(2);
        assertThat(ids.add(each.id())).isTrue();
      }
    }
  }

  private static int[] count(Picker picker, int accounts) {
    SplittableRandom random = new SplittableRandom(1);
    int[] counts = new int[accounts];
    for (int i = 0; i < DRAWS; i++) {
      counts[picker.next(random)]++;
    }
    return counts;
  }
}
