package dev.partita.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The source tree as it is now. */
class TidyTest {
  private static final Tidy TREE = new Tidy(SourceTree.ofThisProject());

  @ParameterizedTest
  @MethodSource("rules")
  void sourceTreeObeys(Function<Tidy, List<String>> rule) {
    assertThat(rule.apply(TREE)).isEmpty();
  }

  static Stream<Named<Function<Tidy, List<String>>>> rules() {
    return Stream.of(
        Named.of("no long files", Tidy::longFiles),
        Named.of("no leftovers", Tidy::leftovers),
        Named.of("no banned words", Tidy::bannedWords),
        Named.of("no paths of one machine", Tidy::machinePaths),
        Named.of("no registry hosts", Tidy::registryHosts),
        Named.of("no sleeping tests", Tidy::sleepingTests),
        Named.of("no suppression without a reason", Tidy::suppressionsWithoutReason),
        Named.of("a README in every module", Tidy::modulesWithoutReadme),
        Named.of("no gaps in migrations", Tidy::migrationGaps),
        Named.of("links lead somewhere", Tidy::brokenLinks));
  }
}
