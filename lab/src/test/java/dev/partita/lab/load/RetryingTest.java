package dev.partita.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryingTest {

  private static final Operation OPERATION =
      new Operation(List.of(new Movement(new UUID(1, 1), 1, 2, 3)));

  private final Attempts attempts = new Attempts(Retrying.ATTEMPTS_MAX);
  private final List<Long> pauses = new ArrayList<>();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "COMMITTED                         | true  | COMMITTED     | 1",
        "REJECTED                          | true  | REJECTED      | 1",
        "ERROR, COMMITTED                  | true  | ERROR         | 1",
        "TIMEOUT, COMMITTED                | true  | TIMEOUT       | 1",
        "CONFLICT, CONFLICT, COMMITTED     | false | COMMITTED     | 3",
        "TRANSIENT, REJECTED               | false | REJECTED      | 2",
        "INDETERMINATE, COMMITTED          | false | INDETERMINATE | 1",
        "INDETERMINATE, REPLAYED           | true  | REPLAYED      | 2",
        "INDETERMINATE, TRANSIENT, TIMEOUT | true  | INDETERMINATE | 3",
      })
  void repeatsWhatMayBeRepeatedAndKeepsWhatIsKnown(
      String script, boolean idsAreUnique, Outcome outcome, int made) {
    Outcome[] answers =
        Arrays.stream(script.split(", ", -1))
            .map(each -> Outcome.valueOf(each.trim()))
            .toArray(Outcome[]::new);
    assertThat(worker(idsAreUnique, answers).perform(OPERATION).outcome()).isEqualTo(outcome);
    assertThat(attempts.operations(made)).isEqualTo(1);
    assertThat(attempts.mean()).isEqualTo(made);
    assertThat(pauses).hasSize(made - 1);
  }

  @Test
  void givesUpAfterTenAttemptsWithPausesBelowBoundsThatDouble() {
    Outcome[] conflicts = Stream.generate(() -> Outcome.CONFLICT).limit(11).toArray(Outcome[]::new);
    assertThat(worker(true, conflicts).perform(OPERATION).outcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(attempts.operations(10)).isEqualTo(1);
    assertThat(pauses).hasSize(9);
    for (int i = 0; i < pauses.size(); i++) {
      assertThat(pauses.get(i)).isBetween(0L, (1_000_000L << i) - 1);
    }
    assertThat(pauses.getLast()).as("of up to 256 ms").isGreaterThan(1_000_000L);
  }

  private Worker worker(boolean idsAreUnique, Outcome... answers) {
    Deque<Outcome> left = new ArrayDeque<>(List.of(answers));
    Worker scripted =
        new Worker() {
          @Override
          public Answer perform(Operation operation) {
            assertThat(operation).isSameAs(OPERATION);
            return Answer.failed(left.remove());
          }

          @Override
          public void close() {}
        };
    return Retrying.of(scripted, idsAreUnique, attempts, 1, pauses::add);
  }
}
