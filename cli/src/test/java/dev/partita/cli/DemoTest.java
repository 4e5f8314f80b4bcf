package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Account;
import dev.partita.Ledger;
import dev.partita.Page;
import dev.partita.cli.docs.CurlCommand;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

class DemoTest {

  private static final String SMALL =
      "demo --transfers 800 --sellers 10 --buyers 50 --callers 8 --seed 42 --exit";

  private final Commands commands = new Commands();

  @Test
  void addsUpAndRunsAgainOnTheSameLedger() {
    JsonNode first = commands.json(SMALL);
    assertThat(first.get("sound").booleanValue()).isTrue();
    assertThat(first.get("sales").longValue()).isEqualTo(400);
    assertThat(first.get("transfers").longValue()).isEqualTo(844);
    assertThat(first.get("refunds").longValue()).isEqualTo(4);
    assertThat(first.get("holdsExpired").longValue()).isEqualTo(4);
    assertThat(first.get("purchasesRefused").longValue()).isEqualTo(4);
    assertThat(first.get("verify").get("clean").booleanValue()).isTrue();
    JsonNode second = commands.json(SMALL);
    assertThat(second.get("sound").booleanValue()).isTrue();
    assertThat(second.get("run").intValue()).isEqualTo(2);
    assertThat(second.get("fees").get("balance")).isEqualTo(first.get("fees").get("balance"));
    assertThat(commands.json("account list --prefix demo:1: --all").get("accounts")).hasSize(62);
  }

  @Test
  void tellsAPersonWhatHappened() {
    assertThat(commands.ok(SMALL).out())
        .contains("transfers/s", "p99", "Last lines of demo:1:fees", "Trial balance")
        .contains("Everything adds up", "Every account has what it must have");
  }

  /** What it shows at the end is done as it is shown. */
  @Test
  @Timeout(60)
  void servesWhatItMadeUntilItIsInterrupted() throws Exception {
    RunningCommand demo =
        RunningCommand.start(
            commands,
            "demo",
            "--transfers",
            "800",
            "--sellers",
            "10",
            "--buyers",
            "50",
            "--callers",
            "8");
    String line = demo.line();
    while (!line.startsWith("Partita listens on ")) {
      line = demo.line();
    }
    URI server = URI.create(line.substring(line.indexOf("http")));
    assertThat(demo.line()).startsWith("No API key was ever created");
    List<String> answers = new ArrayList<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (line = demo.line(); line.startsWith("  curl "); line = demo.line()) {
        HttpResponse<String> answer = CurlCommand.of(line.strip()).ask(client, server);
        assertThat(answer.statusCode()).as(line).isBetween(200, 299);
        answers.add(answer.body());
      }
    }
    assertThat(line).isEqualTo("Ctrl-C ends it.");
    assertThat(answers).hasSize(5);
    assertThat(answers.getFirst()).contains("demo:1:fees");
    assertThat(answers.getLast()).contains("CREATED");
    assertThat(demo.interrupt()).isEqualTo(ExitCode.OK.number());
    assertThat(commands.closed).isEqualTo(commands.opened);
  }

  @Test
  void findsAnAccountThatHasNotWhatItMustHave() {
    Commands lying = new Commands(forgetful(commands.ledger));
    JsonNode found = lying.run(SMALL + " --output json").exits(ExitCode.VIOLATIONS).json();
    assertThat(found.get("sound").booleanValue()).isFalse();
    assertThat(found.get("mismatches").toString()).contains("is missing, must have");
  }

  /** A ledger that forgets the last account of every page. */
  private static Ledger forgetful(Ledger ledger) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, called, arguments) -> {
              try {
                Object answer = called.invoke(ledger, arguments);
                if (called.getName().equals("accounts") && answer instanceof Page<?> page) {
                  return new Page<>(
                      page.items().subList(0, page.items().size() - 1).stream()
                          .map(Account.class::cast)
                          .toList(),
                      page.next());
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
