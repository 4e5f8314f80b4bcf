package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.ChangeResult;
import dev.partita.OpenResult;
import dev.partita.RegisterResult;
import dev.partita.TransferField;
import dev.partita.TransferStatus;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables leave no answer out, and say what is wrong when one fails. */
class ScenarioTablesTest {

  private static final List<Scenario.Step> STEPS =
      Scenario.FILES.stream()
          .flatMap(file -> Scenario.read(file).stream())
          .flatMap(scenario -> scenario.steps().stream())
          .toList();

  /** The answers that the tables expect of one kind of operation. */
  private static Set<String> expected(Class<? extends Operation> operation, String otherwise) {
    Set<String> words = new HashSet<>();
    STEPS.stream()
        .filter(step -> operation.isInstance(step.operation()))
        .flatMap(step -> step.lines().stream())
        .flatMap(line -> Arrays.stream(line.expected().split(",", -1)))
        .map(String::strip)
        .forEach(
            answer -> {
              words.add(answer.isEmpty() ? otherwise : answer.split(" ", -1)[0]);
              words.add(answer);
            });
    return words;
  }

  private static String[] names(Enum<?>[] values) {
    return Stream.of(values).map(Enum::name).toArray(String[]::new);
  }

  @Test
  void reachEveryAnswerToATransfer() {
    assertThat(expected(Operation.Post.class, "CREATED")).contains(names(TransferStatus.values()));
  }

  @Test
  void reachEveryAnswerToRegisteringOpeningAndChanging() {
    assertThat(expected(Operation.Register.class, "CREATED"))
        .contains(names(RegisterResult.Status.values()));
    assertThat(expected(Operation.Open.class, "CREATED"))
        .contains(names(OpenResult.Status.values()));
    assertThat(expected(Operation.Change.class, "CHANGED"))
        .contains(names(ChangeResult.Status.values()));
  }

  @ParameterizedTest
  @EnumSource
  void reachEveryFieldThatARepeatMayDifferIn(TransferField field) {
    assertThat(expected(Operation.Post.class, "CREATED"))
        .contains("EXISTS_DIFFERENT " + field.text());
  }

  @Test
  void areNamedBySentencesThatAreAllDifferent() {
    List<String> titles =
        Scenario.FILES.stream()
            .flatMap(file -> Scenario.read(file).stream())
            .map(scenario -> scenario.file() + ": " + scenario.title())
            .toList();

    assertThat(titles).hasSizeGreaterThan(150).doesNotHaveDuplicates();
  }
}
