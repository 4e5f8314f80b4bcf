package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Account;
import dev.partita.Ledger;
import dev.partita.Page;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DemoTest {

  private static final String SMALL =
      "demo --transfers 800 --sellers 10 --buyers 50 --callers 8 --seed 42";

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
