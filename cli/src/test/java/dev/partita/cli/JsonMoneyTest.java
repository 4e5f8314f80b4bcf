package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.ManualClock;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Money in JSON is text, in every answer: a reader whose numbers are doubles, such as JavaScript or
 * jq, can neither round it nor print it with an exponent. What is a number is small and whole.
 */
class JsonMoneyTest {

  private static final String MAX = "170141183.460469231731687303715884105727";
  private static final long DOUBLES_ARE_EXACT_TO = (1L << 53) - 1;

  /** Every field that says how much. */
  private static final List<String> MONEY =
      List.of(
          "amount",
          "released",
          "remaining",
          "balance",
          "held",
          "expected",
          "available",
          "change",
          "minBalance",
          "maxBalance",
          "debits",
          "credits",
          "debitsPosted",
          "creditsPosted",
          "debitsPending",
          "creditsPending");

  private final Commands commands = new Commands(new InMemoryLedger(new ManualClock()));
  private int amounts;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.000000000000000000000000000001",
        "0.000000000000000000001234567891",
        "9007199.254740993000000000000000000000",
        MAX
      })
  void isTextWithAllItsDigits(String amount) {
    String rest = " --debit a --credit b --asset FINE --amount ";
    commands.ok("asset register FINE --scale 30");
    commands.ok("account open a --asset FINE");
    commands.ok("account open b --asset FINE --max-balance " + MAX);
    commands.ok("account limits a --min-balance -" + MAX);

    JsonNode posted = commands.json("transfer post --key t" + rest + amount);

    check(posted);
    check(commands.json("transfer pending --key h" + rest + "0"));
    for (String read :
        List.of(
            "transfer show key:t",
            "account show a",
            "account show b",
            "account list",
            "account changes a",
            "balance a",
            "balance b --effective 9999-12-31T23:59:59Z",
            "statement a",
            "find --account b",
            "holds",
            "trial-balance",
            "verify")) {
      check(commands.json(read));
    }
    assertThat(amounts).isGreaterThan(60);
    assertThat(commands.json("balance b").get("balance").stringValue()).isEqualTo(amount);
    assertThat(commands.json("balance a").get("balance").stringValue()).isEqualTo("-" + amount);
    assertThat(
            commands.json("find --account b").get("transfers").get(0).get("amount").stringValue())
        .isEqualTo(amount);
  }

  private void check(JsonNode node) {
    if (node.isObject()) {
      for (String name : node.propertyNames()) {
        JsonNode value = node.get(name);
        if (MONEY.contains(name) && value.isValueNode() && !value.isNull()) {
          assertThat(value.isString()).as("%s is text: %s", name, value).isTrue();
          assertThat(value.stringValue()).as(name).matches("-?[0-9]+\\.[0-9]{30}");
          amounts++;
        }
        check(value);
      }
    } else if (node.isArray()) {
      node.forEach(this::check);
    } else if (node.isNumber()) {
      assertThat(node.isIntegralNumber()).as("a whole number: %s", node).isTrue();
      assertThat(node.longValue()).isBetween(-DOUBLES_ARE_EXACT_TO, DOUBLES_ARE_EXACT_TO);
    }
  }
}
