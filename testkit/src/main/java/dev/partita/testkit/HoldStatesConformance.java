package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.HoldQuery;
import dev.partita.Ids;
import dev.partita.TransferResult;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A hold's life as a table: every command in every state. What is refused leaves the hold and its
 * accounts as they are.
 */
abstract class HoldStatesConformance extends Conformance {

  private static final List<String> COMMANDS =
      List.of(
          "post P H",
          "post P H 40",
          "post P H 40 keep",
          "post P H 0",
          "post P H 70",
          "post P H 101",
          "void P H",
          "reverse P H",
          "pending H A→B 100 timeout 60");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # state       | capture | 40 | 40, keep the rest | 0 | 70 | 101 | void | reverse | hold again | expires
          never held    | PENDING_NOT_FOUND | PENDING_NOT_FOUND | PENDING_NOT_FOUND | PENDING_NOT_FOUND \
                        | PENDING_NOT_FOUND | PENDING_NOT_FOUND | PENDING_NOT_FOUND | ORIGINAL_NOT_FOUND | CREATED | no
          no hold       | NOT_PENDING | NOT_PENDING | NOT_PENDING | NOT_PENDING \
                        | NOT_PENDING | NOT_PENDING | NOT_PENDING | CREATED | EXISTS_DIFFERENT | no
          open          | CREATED | CREATED | CREATED | CREATED \
                        | CREATED | EXCEEDS_PENDING | CREATED | NOT_REVERSIBLE | EXISTS | no
          part captured | CREATED | CREATED | CREATED | CREATED \
                        | EXCEEDS_REMAINING | EXCEEDS_PENDING | CREATED | NOT_REVERSIBLE | EXISTS | no
          captured      | PENDING_ALREADY_POSTED | PENDING_ALREADY_POSTED | PENDING_ALREADY_POSTED | PENDING_ALREADY_POSTED \
                        | PENDING_ALREADY_POSTED | EXCEEDS_PENDING | PENDING_ALREADY_POSTED | NOT_REVERSIBLE | EXISTS | no
          voided        | PENDING_ALREADY_VOIDED | PENDING_ALREADY_VOIDED | PENDING_ALREADY_VOIDED | PENDING_ALREADY_VOIDED \
                        | PENDING_ALREADY_VOIDED | EXCEEDS_PENDING | PENDING_ALREADY_VOIDED | NOT_REVERSIBLE | EXISTS | no
          overdue       | PENDING_EXPIRED | PENDING_EXPIRED | PENDING_EXPIRED | PENDING_EXPIRED \
                        | PENDING_EXPIRED | EXCEEDS_PENDING | PENDING_EXPIRED | NOT_REVERSIBLE | EXISTS | yes
          expired       | PENDING_EXPIRED | PENDING_EXPIRED | PENDING_EXPIRED | PENDING_EXPIRED \
                        | PENDING_EXPIRED | EXCEEDS_PENDING | PENDING_EXPIRED | NOT_REVERSIBLE | EXISTS | no
          on closed     | CREDIT_ACCOUNT_CLOSED | CREDIT_ACCOUNT_CLOSED | CREDIT_ACCOUNT_CLOSED | CREDIT_ACCOUNT_CLOSED \
                        | CREDIT_ACCOUNT_CLOSED | EXCEEDS_PENDING | CREATED | NOT_REVERSIBLE | EXISTS | no
          """)
  void answersEveryCommandInEveryState(ArgumentsAccessor row) {
    String state = cell(row, 0);
    // One hold for each command, and one to see whether it expires.
    for (int i = 0; i <= COMMANDS.size(); i++) {
      given("open A" + i + " EUR", "open B" + i + " EUR");
      hold(state, i);
    }
    if (state.equals("overdue") || state.equals("expired")) {
      given("clock +60s");
    }
    if (state.equals("expired")) {
      given("expire 100");
    }
    int last = COMMANDS.size();
    for (int i = 0; i < last; i++) {
      String command = numbered(COMMANDS.get(i), i);
      List<?> before = stateOf(i);
      TransferResult result = post(command);
      assertThat(result.status()).as("%s: %s", state, command).hasToString(cell(row, i + 1));
      if (!result.status().isRecorded() || cell(row, i + 1).equals("EXISTS")) {
        assertThat(stateOf(i)).as("after %s: %s", state, command).isEqualTo(before);
      }
    }
    boolean expires = ids(ledger.expireDue(100)).contains(Ids.expiryOf(id("H" + last)));
    assertThat(expires).isEqualTo(cell(row, last + 1).equals("yes"));
  }

  private static String cell(ArgumentsAccessor row, int column) {
    return Objects.requireNonNull(row.getString(column), "the table has a gap");
  }

  private void hold(String state, int i) {
    String hold = numbered("pending H A→B 100 timeout 60", i);
    switch (state) {
      case "never held" -> {}
      case "no hold" -> given(numbered("direct H A→B 100", i));
      case "open", "overdue", "expired" -> given(hold);
      case "part captured" -> given(hold, numbered("post Q H 40 keep", i));
      case "captured" -> given(hold, numbered("post Q H 60", i));
      case "voided" -> given(hold, numbered("void Q H", i));
      case "on closed" -> given(hold, "close B" + i);
      default -> throw new IllegalArgumentException(state);
    }
  }

  /** Everything that a command could have changed. */
  private List<?> stateOf(int i) {
    return List.of(
        ledger.balance(account("A" + i)).state(),
        ledger.balance(account("B" + i)).state(),
        ledger.holds(HoldQuery.account(account("A" + i), 10)).items());
  }

  private TransferResult post(String command) {
    return ledger
        .post(((Operation.Post) ScenarioText.operation(command)).request())
        .transfers()
        .getFirst();
  }

  /** The names of the i-th hold. */
  private static String numbered(String command, int i) {
    return command.replaceAll("\\b([ABHPQ])\\b", "$1" + i);
  }
}
