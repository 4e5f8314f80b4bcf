package dev.partita.cli.build;

import static dev.partita.cli.build.ArchitectureRules.*;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A rule that cannot fail guards nothing: each one is shown classes that break it. */
class ArchitectureRulesTest {
  private static final JavaClasses FIXTURES =
      new ClassFileImporter()
          .importPackages(
              "dev.partita.rules.fixtures",
              "dev.partita.memory.fixtures",
              "dev.partita.postgres.fixtures",
              "dev.partita.embedded.fixtures",
              "dev.partita.testkit.fixtures");

  @Test
  void coreMustNotUseALibrary() {
    assertThat(offences(CORE_NEEDS_ONLY_THE_JDK))
        .anyMatch(offence -> offence.contains("NeedsMoreThanTheJdk.library("))
        .noneMatch(offence -> offence.contains("NeedsMoreThanTheJdk.file("));
  }

  @Test
  void coreMustNotTouchFilesOrLoggers() {
    assertThat(offences(CORE_DOES_NO_IO))
        .anyMatch(offence -> offence.contains("NeedsMoreThanTheJdk.file("))
        .anyMatch(offence -> offence.contains("NeedsMoreThanTheJdk.logger("))
        .anyMatch(offence -> offence.contains("NeedsMoreThanTheJdk.systemLogger("));
  }

  @Test
  void coreMustNotReadClockChanceOrEnvironment() {
    List<String> offences = offences(CORE_READS_NO_SURROUNDINGS);
    for (String method :
        List.of(
            "instant",
            "reference",
            "clock",
            "millis",
            "nanos",
            "random",
            "threadLocalRandom",
            "defaultRandom",
            "uuid",
            "environment",
            "property")) {
      assertThat(offences)
          .as(method)
          .anyMatch(offence -> offence.contains("ReadsSurroundings." + method + "("));
    }
    assertThat(offences).noneMatch(offence -> offence.contains(".given"));
  }

  @Test
  void rulesAndMemoryMustNotDependOnHashOrder() {
    List<String> offences = offences(RULES_AND_MEMORY_HAVE_A_DEFINED_ORDER);
    for (String method :
        List.of("hashMap", "reference", "sized", "hashSet", "salted", "collectedSet", "grouped")) {
      assertThat(offences)
          .as(method)
          .anyMatch(offence -> offence.contains("HashOrder." + method + "("));
    }
    assertThat(offences).noneMatch(offence -> offence.contains("rdered("));
    assertThat(offences).noneMatch(offence -> offence.contains("groupedInOrder("));
  }

  @Test
  void moneyMustNotBeFloating() {
    List<String> offences = offences(MONEY_IS_EXACT);
    for (String member : List.of("field", "result", "parameter", "boxed", "array")) {
      assertThat(offences)
          .as(member)
          .anyMatch(offence -> offence.contains("FloatingMoney." + member));
    }
    assertThat(offences).noneMatch(offence -> offence.contains("FloatingMoney.exact"));
    assertThat(offences).anyMatch(offence -> offence.contains("TwoEngines.balance"));
  }

  @Test
  void modulesMustNotKnowTheirNeighbours() {
    assertThat(offences(POSTGRES_KNOWS_ONLY_CORE))
        .anyMatch(offence -> offence.contains("EmbeddedNeighbour"))
        .anyMatch(offence -> offence.contains("TestkitNeighbour"));
    assertThat(offences(EMBEDDED_KNOWS_ONLY_CORE))
        .anyMatch(offence -> offence.contains("PostgresNeighbour"))
        .anyMatch(offence -> offence.contains("TestkitNeighbour"));
    assertThat(offences(TESTKIT_KNOWS_ONLY_CORE))
        .anyMatch(offence -> offence.contains("PostgresNeighbour"))
        .anyMatch(offence -> offence.contains("EmbeddedNeighbour"));
  }

  @Test
  void enginesAndRulesMustKeepApart() {
    assertThat(offences(ENGINES_DO_NOT_KNOW_EACH_OTHER))
        .anyMatch(offence -> offence.contains("TwoEngines.fallBack("));
    assertThat(offences(RULES_KNOW_NO_ENGINE))
        .anyMatch(offence -> offence.contains("KnowsEngine.decide("));
  }

  @Test
  void librariesMustNotChooseALoggerOrPrint() {
    assertThat(offences(LIBRARIES_LOG_THROUGH_THE_JDK))
        .anyMatch(offence -> offence.contains("NeedsMoreThanTheJdk.logger("))
        .noneMatch(offence -> offence.contains("NeedsMoreThanTheJdk.systemLogger("));
    assertThat(offences(LIBRARIES_ARE_QUIET))
        .anyMatch(offence -> offence.contains("NeedsMoreThanTheJdk.print("));
  }

  @Test
  void exceptionsMustNotBeBare() {
    assertThat(offences(EXCEPTIONS_SAY_WHAT_HAPPENED))
        .anyMatch(offence -> offence.contains("NeedsMoreThanTheJdk.fail("));
  }

  private static List<String> offences(ArchRule rule) {
    return rule.evaluate(FIXTURES).getFailureReport().getDetails();
  }
}
