package dev.partita.cli.build;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;

/**
 * What the modules may know and do. A package below {@code dev.partita} that is not named here
 * counts as core, so a new one gets the strictest rules until somebody decides otherwise.
 */
final class ArchitectureRules {
  private static final String JSON = "dev.partita.json..";
  private static final String CLIENT = "dev.partita.client..";
  private static final String SERVER = "dev.partita.server..";
  private static final String HELIDON_ADAPTER = "dev.partita.server.helidon..";
  private static final String METRICS = "dev.partita.server.metrics..";
  private static final String POSTGRES = "dev.partita.postgres..";
  private static final String EMBEDDED = "dev.partita.embedded..";
  private static final String TESTKIT = "dev.partita.testkit..";
  private static final String VALIDATE = "dev.partita.validate..";
  private static final String LAB = "dev.partita.lab..";
  private static final String CLI = "dev.partita.cli..";
  private static final String RULES = "dev.partita.rules..";
  private static final String MEMORY = "dev.partita.memory..";

  private static final DescribedPredicate<JavaClass> PARTITA =
      resideInAPackage("dev.partita..").as("Partita");
  private static final DescribedPredicate<JavaClass> CORE =
      PARTITA
          .and(
              not(
                  resideInAnyPackage(
                      JSON, CLIENT, SERVER, POSTGRES, EMBEDDED, TESTKIT, VALIDATE, LAB, CLI)))
          .as("core");
  private static final DescribedPredicate<JavaClass> LIBRARIES =
      PARTITA.and(not(resideInAPackage(CLI))).as("libraries");

  /** Types that ordinary code meets without doing I/O. */
  private static final DescribedPredicate<JavaClass> HARMLESS_IO_TYPES =
      describe(
          "harmless I/O types",
          type ->
              type.getName().equals("java.io.Serializable")
                  || type.getName().equals("java.io.IOException")
                  || type.getName().equals("java.io.UncheckedIOException"));

  static final ArchRule CORE_NEEDS_ONLY_THE_JDK =
      classes()
          .that(CORE)
          .should()
          .onlyDependOnClassesThat(
              CORE.or(resideInAnyPackage("java..", "org.jspecify..")).as("core or the JDK"))
          .because("core is used everywhere and must bring nothing along");

  static final ArchRule CORE_DOES_NO_IO =
      noClasses()
          .that(CORE)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.io..",
                      "java.net..",
                      "java.nio.channels..",
                      "java.nio.file..",
                      "java.sql..",
                      "java.util.logging..")
                  .and(not(HARMLESS_IO_TYPES))
                  .or(
                      describe(
                          "System.Logger",
                          type -> type.getName().startsWith("java.lang.System$Logger"))))
          .because("the rules are a function of books, request and time");

  static final ArchRule CORE_READS_NO_SURROUNDINGS =
      noClasses()
          .that(CORE)
          .should(Uses.of(Surroundings.READS))
          .because("time and chance are passed in, so that a run can be repeated exactly");

  static final ArchRule RULES_AND_MEMORY_HAVE_A_DEFINED_ORDER =
      noClasses()
          .that(resideInAnyPackage(RULES, MEMORY))
          .should(Uses.of(Surroundings.HASH_ORDER))
          .because(
              "hash order differs between runs and engines: use LinkedHashMap, TreeMap or EnumMap");

  static final ArchRule MONEY_IS_EXACT =
      noClasses()
          .that(CORE.or(resideInAPackage(POSTGRES)).as("core and postgres"))
          .should(new DeclaresFloatingPoint())
          .because("binary fractions cannot hold 0.10");

  static final ArchRule JSON_KNOWS_ONLY_CORE = knowsOnly(JSON, CORE);
  static final ArchRule CLIENT_KNOWS_ONLY_CORE_AND_JSON =
      knowsOnly(CLIENT, CORE.or(resideInAPackage(JSON)).as("core and json"));
  static final ArchRule SERVER_KNOWS_ONLY_CORE_AND_JSON =
      knowsOnly(SERVER, CORE.or(resideInAPackage(JSON)).as("core and json"));

  static final ArchRule THE_HTTP_LIBRARY_STAYS_IN_ONE_PACKAGE =
      noClasses()
          .that(PARTITA.and(not(resideInAPackage(HELIDON_ADAPTER))).as("all but its adapter"))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.helidon..")
          .because("another one must be able to take its place");

  static final ArchRule THE_METRICS_LIBRARY_STAYS_IN_ONE_PACKAGE =
      noClasses()
          .that(PARTITA.and(not(resideInAPackage(METRICS))).as("all but the package for it"))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.micrometer..", "io.prometheus..")
          .because("users of the library choose their own");

  static final ArchRule POSTGRES_KNOWS_ONLY_CORE = knowsOnlyCore(POSTGRES);
  static final ArchRule EMBEDDED_KNOWS_ONLY_CORE = knowsOnlyCore(EMBEDDED);
  static final ArchRule TESTKIT_KNOWS_ONLY_CORE = knowsOnlyCore(TESTKIT);

  static final ArchRule ENGINES_DO_NOT_KNOW_EACH_OTHER =
      noClasses()
          .that()
          .resideInAPackage(POSTGRES)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(MEMORY)
          .because("only the command line wires engines together");

  static final ArchRule RULES_KNOW_NO_ENGINE =
      noClasses()
          .that(CORE.and(not(resideInAPackage(MEMORY))).as("core outside its engine"))
          .should()
          .dependOnClassesThat(resideInAPackage(MEMORY))
          .because("an engine uses the rules, never the other way round");

  static final ArchRule LIBRARIES_LOG_THROUGH_THE_JDK =
      noClasses()
          .that(LIBRARIES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.util.logging..",
              "org.slf4j..",
              "ch.qos.logback..",
              "org.apache.logging..",
              "org.apache.log4j..",
              "org.apache.commons.logging..")
          .because("the user chooses the logging; System.Logger follows");

  static final ArchRule LIBRARIES_ARE_QUIET =
      noClasses()
          .that(LIBRARIES)
          .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
          .because("standard output belongs to the application");

  static final ArchRule EXCEPTIONS_SAY_WHAT_HAPPENED =
      noClasses()
          .that(LIBRARIES)
          .should(GeneralCodingRules.THROW_GENERIC_EXCEPTIONS)
          .because("a caller must be able to tell misuse, unavailability and corruption apart");

  private ArchitectureRules() {}

  private static ArchRule knowsOnlyCore(String module) {
    return knowsOnly(module, CORE);
  }

  private static ArchRule knowsOnly(String module, DescribedPredicate<? super JavaClass> others) {
    return noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat(
            PARTITA
                .and(not(others))
                .and(not(resideInAPackage(module)))
                .as("modules beside " + others.getDescription()))
        .because("dependencies point inwards");
  }
}
