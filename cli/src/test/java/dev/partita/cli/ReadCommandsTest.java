package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.CorruptionException;
import dev.partita.Ledger;
import dev.partita.TrialBalance;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.VerifyReport;
import dev.partita.cli.Commands.Ran;
import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.ManualClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ReadCommandsTest {

  private final ManualClock clock = new ManualClock();
  private final Commands commands = new Commands(new InMemoryLedger(clock)).withWallets();

  @Test
  void showsBalancesInAllThreeTimes() {
    clock.advance(Duration.ofHours(1));
    commands.funded("10");
    clock.advance(Duration.ofHours(1));
    commands.ok(
        "transfer post --debit till --credit wallet:1 --asset EUR --amount 5 --effective-at"
            + " 2025-06-30T12:00:00+02:00");
    assertThat(balance("")).isEqualTo("15.00");
    assertThat(balance(" --recorded 2026-01-01T01:30:00Z")).isEqualTo("10.00");
    assertThat(balance(" --recorded 2026-01-01T00:30:00Z")).isEqualTo("0.00");
    assertThat(balance(" --effective 2025-06-30T10:00:00Z")).isEqualTo("5.00");
    assertThat(balance(" --effective 2025-06-30T09:59:59.999999Z")).isEqualTo("0.00");
    assertThat(balance(" --effective 2025-07-01T00:00:00Z --known 2026-01-01T01:30:00Z"))
        .isEqualTo("0.00");
    commands.run("balance wallet:1 --recorded 2025-01-01T00:00:00Z").exits(ExitCode.MISUSE);
    commands.run("balance wallet:1 --recorded 2030-01-01T00:00:00Z").exits(ExitCode.MISUSE);
    assertThat(commands.ok("balance wallet:1").out()).contains("15.00 EUR", "settled until");
  }

  private String balance(String options) {
    return commands.json("balance wallet:1" + options).get("balance").stringValue();
  }

  @Test
  void pagesStatementsBothWays() {
    for (int i = 1; i <= 25; i++) {
      commands.ok(
          "transfer post --debit till --credit wallet:1 --asset EUR --amount "
              + i
              + " --key p"
              + i);
    }
    for (String direction : List.of("", " --newest-first")) {
      List<Long> versions = new ArrayList<>();
      String cursor = "";
      while (true) {
        JsonNode page = commands.json("statement wallet:1 --limit 10" + direction + cursor);
        page.get("lines").forEach(line -> versions.add(line.get("version").longValue()));
        if (page.get("next").isNull()) {
          break;
        }
        cursor = " --cursor " + page.get("next").stringValue();
      }
      assertThat(versions).hasSize(25).doesNotHaveDuplicates();
      assertThat(versions.getFirst()).isEqualTo(direction.isEmpty() ? 1 : 25);
    }
    JsonNode all = commands.json("statement wallet:1 --all --limit 10");
    assertThat(all.get("lines")).hasSize(25);
    assertThat(all.get("lines").get(24).get("balance").stringValue()).isEqualTo("325.00");
    assertThat(commands.ok("statement wallet:1 --limit 2").out()).contains("--all");
    assertThat(commands.ok("statement wallet:2").out()).contains("No lines.");
  }

  @Test
  void findsByReferenceAndTime() {
    commands.ok(
        "transfer post --debit till --credit wallet:1 --asset EUR --amount 1 --reference r1 --code 9");
    assertThat(commands.json("find --reference r1").get("transfers")).hasSize(1);
    assertThat(commands.json("find --reference r1 --code 8").get("transfers")).isEmpty();
    assertThat(
            commands
                .json("find --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z")
                .get("transfers"))
        .hasSize(1);
    assertThat(commands.run("find --account nobody").exits(ExitCode.MISUSE).err())
        .contains("nobody");
    commands
        .run("find --from 2026-01-01T00:00:00Z --to 2026-03-01T00:00:00Z")
        .exits(ExitCode.MISUSE);
    assertThat(
            commands
                .run("find --account till --from 2026-01-02T00:00:00Z --to 2026-01-01T00:00:00Z")
                .exits(ExitCode.MISUSE)
                .err())
        .contains("--from: ");
  }

  @Test
  void expiresHoldsThatAreDue() {
    commands.funded("10");
    commands.ok(
        "transfer pending --debit wallet:1 --credit wallet:2 --asset EUR --amount 4 --timeout 60");
    assertThat(commands.json("holds --due-by 2026-01-01T00:01:00Z").get("holds")).hasSize(1);
    assertThat(commands.ok("expire").out()).contains("Expired 0");
    clock.advance(Duration.ofMinutes(1));
    assertThat(commands.json("expire").get("expired").intValue()).isEqualTo(1);
    assertThat(commands.json("account show wallet:1").get("available").stringValue())
        .isEqualTo("10.00");
  }

  @Test
  void showsTheTrialBalanceWithSums() {
    commands.funded("10");
    assertThat(commands.ok("trial-balance").out()).contains("Balanced at", "all", "10.00");
    JsonNode json = commands.json("trial-balance");
    assertThat(json.get("balanced").booleanValue()).isTrue();
    assertThat(json.get("lines").get(0).get("debitsPosted").stringValue()).isEqualTo("10.00");
    assertThat(commands.ok("verify").out()).contains("Everything adds up");
    assertThat(commands.json("verify").get("clean").booleanValue()).isTrue();
  }

  @Test
  void reportsViolationsWithTheirOwnExitCode() {
    Commands broken =
        answering(
            "verify",
            new VerifyReport(
                "record 7",
                2,
                7,
                List.of(new VerifyReport.Violation(3, "wallet:1", "version 2 is\u001b missing"))));
    Ran ran = broken.run("verify").exits(ExitCode.VIOLATIONS);
    assertThat(ran.out()).contains("1 violations", "invariant 3, wallet:1: version 2 is\\u001b");
    assertThat(broken.run("verify --output json").json().get("violations")).hasSize(1);
    TrialBalance balance = commands.ledger.trialBalance();
    TrialBalance.Line line = balance.lines().getFirst();
    TrialBalance unbalanced =
        new TrialBalance(
            List.of(
                new TrialBalance.Line(
                    line.asset(),
                    0,
                    line.normal(),
                    1,
                    java.math.BigInteger.ONE,
                    java.math.BigInteger.ZERO,
                    java.math.BigInteger.ZERO,
                    java.math.BigInteger.ZERO)),
            balance.takenAt());
    assertThat(
            answering("trialBalance", unbalanced)
                .run("trial-balance")
                .exits(ExitCode.VIOLATIONS)
                .out())
        .contains("NOT BALANCED");
  }

  @Test
  void givesEachFailureItsExitCodeAndStableCode() {
    Object[][] failures = {
      {unavailable(Reason.QUEUE_FULL, Outcome.NOT_POSTED), ExitCode.UNAVAILABLE, "queue_full"},
      {unavailable(Reason.TIMED_OUT, Outcome.UNKNOWN), ExitCode.UNKNOWN_OUTCOME, "outcome_unknown"},
      {new CorruptionException("bad"), ExitCode.VIOLATIONS, "corruption"},
      {new IllegalStateException("bug"), ExitCode.INTERNAL, "internal_error"},
    };
    for (Object[] failure : failures) {
      Commands failing = answering("post", failure[0]);
      Ran ran =
          failing.run(
              "transfer post --debit till --credit wallet:1 --asset EUR --amount 1 --key k --output"
                  + " json");
      ran.exits((ExitCode) failure[1]);
      assertThat(ran.error().get("code").stringValue()).isEqualTo(failure[2]);
      assertThat(ran.out()).isEmpty();
    }
  }

  @Test
  void namesTheIdToRepeatWhenNobodyKnows() {
    Commands failing = answering("post", unavailable(Reason.TIMED_OUT, Outcome.UNKNOWN));
    Ran ran = failing.run("transfer post --debit till --credit wallet:1 --asset EUR --amount 1");
    assertThat(ran.err()).containsPattern("--id [0-9a-f-]{36}");
  }

  private static UnavailableException unavailable(Reason reason, Outcome outcome) {
    return new UnavailableException(reason, outcome, "no answer", null);
  }

  /** Commands on this test's ledger, one method of which answers or throws something else. */
  private Commands answering(String method, Object answer) {
    Ledger broken =
        (Ledger)
            Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, called, arguments) -> {
                  if (called.getName().equals(method)) {
                    if (answer instanceof RuntimeException e) {
                      throw e;
                    }
                    return answer;
                  }
                  try {
                    return called.invoke(commands.ledger, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return new Commands(broken);
  }
}
