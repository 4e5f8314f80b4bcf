package dev.partita.testkit;

import dev.partita.Ledger;
import java.net.URI;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The tables: the rules, one scenario after another, each on a ledger of its own. */
abstract class ScenarioConformance {

  abstract LedgerUnderTest engine();

  @TestFactory
  Stream<DynamicContainer> scenarios() {
    return Scenario.FILES.stream()
        .map(
            file ->
                DynamicContainer.dynamicContainer(
                    file, Scenario.read(file).stream().map(this::test)));
  }

  private DynamicTest test(Scenario scenario) {
    URI source =
        URI.create(
            "classpath:/dev/partita/testkit/" + scenario.file() + ".table?line=" + scenario.line());
    return DynamicTest.dynamicTest(scenario.title(), source, () -> run(scenario));
  }

  private void run(Scenario scenario) {
    ManualClock clock = new ManualClock();
    Ledger ledger = engine().open(clock);
    try {
      new ScenarioRun(new Duel(ledger, clock, new Auditor())).run(scenario);
    } finally {
      engine().dispose(ledger);
    }
  }
}
