package dev.partita.cli.build;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Here, because the command line is the one module that sees all others. */
@AnalyzeClasses(packages = "dev.partita", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest static final ArchRule coreNeedsOnlyTheJdk = ArchitectureRules.CORE_NEEDS_ONLY_THE_JDK;

  @ArchTest static final ArchRule coreDoesNoIo = ArchitectureRules.CORE_DOES_NO_IO;

  @ArchTest
  static final ArchRule coreReadsNoSurroundings = ArchitectureRules.CORE_READS_NO_SURROUNDINGS;

  @ArchTest
  static final ArchRule rulesAndMemoryHaveADefinedOrder =
      ArchitectureRules.RULES_AND_MEMORY_HAVE_A_DEFINED_ORDER;

  @ArchTest static final ArchRule moneyIsExact = ArchitectureRules.MONEY_IS_EXACT;

  @ArchTest static final ArchRule jsonKnowsOnlyCore = ArchitectureRules.JSON_KNOWS_ONLY_CORE;

  @ArchTest
  static final ArchRule clientKnowsOnlyCoreAndJson =
      ArchitectureRules.CLIENT_KNOWS_ONLY_CORE_AND_JSON;

  @ArchTest
  static final ArchRule serverKnowsOnlyCoreAndJson =
      ArchitectureRules.SERVER_KNOWS_ONLY_CORE_AND_JSON;

  @ArchTest
  static final ArchRule theHttpLibraryStaysInOnePackage =
      ArchitectureRules.THE_HTTP_LIBRARY_STAYS_IN_ONE_PACKAGE;

  @ArchTest
  static final ArchRule theMetricsLibraryStaysInOnePackage =
      ArchitectureRules.THE_METRICS_LIBRARY_STAYS_IN_ONE_PACKAGE;

  @ArchTest
  static final ArchRule postgresKnowsOnlyCore = ArchitectureRules.POSTGRES_KNOWS_ONLY_CORE;

  @ArchTest
  static final ArchRule embeddedKnowsOnlyCore = ArchitectureRules.EMBEDDED_KNOWS_ONLY_CORE;

  @ArchTest static final ArchRule testkitKnowsOnlyCore = ArchitectureRules.TESTKIT_KNOWS_ONLY_CORE;

  @ArchTest
  static final ArchRule enginesDoNotKnowEachOther =
      ArchitectureRules.ENGINES_DO_NOT_KNOW_EACH_OTHER;

  @ArchTest static final ArchRule rulesKnowNoEngine = ArchitectureRules.RULES_KNOW_NO_ENGINE;

  @ArchTest
  static final ArchRule librariesLogThroughTheJdk = ArchitectureRules.LIBRARIES_LOG_THROUGH_THE_JDK;

  @ArchTest static final ArchRule librariesAreQuiet = ArchitectureRules.LIBRARIES_ARE_QUIET;

  @ArchTest
  static final ArchRule exceptionsSayWhatHappened = ArchitectureRules.EXCEPTIONS_SAY_WHAT_HAPPENED;
}
