package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountChange;
import dev.partita.AccountQuery;
import dev.partita.ChangeRequest;
import dev.partita.HoldQuery;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.StatementQuery;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input made to break things: refused with the field named, or taken as the plain text it is. */
abstract class HostileInputConformance extends Conformance {

  @Test
  void refusesAWholeRequestForOneMalformedItemAndNamesIt() {
    givenAccounts("A", "B");
    TransferRequest expiry = TransferRequest.expiry(id("H1"));

    MisuseException refusal =
        misuse(() -> ledger.post(new PostRequest(List.of(direct("T1", "A", "B", 1), expiry))));

    assertThat(refusal.item()).isEqualTo(1);
    assertThat(refusal.field()).isEqualTo("kind");
    assertThat(ledger.transfer(id("T1"))).isEmpty();
  }

  @Test
  void refusesIdsThatTheEngineMakesItself() {
    UUID version8 = UUID.fromString("018f4e2a-7c1b-8d3e-9a4b-5c6d7e8f9a0b");
    PostItem capture = TransferRequest.capture(version8, id("H1"));

    MisuseException refusal = misuse(() -> ledger.post(capture));

    assertThat(refusal.item()).isZero();
    assertThat(refusal.field()).isEqualTo("id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'",
        "''",
        "\"",
        "\\",
        "\\'",
        "%",
        "_",
        "$1",
        "?",
        ":a",
        ";",
        "--",
        "/*",
        "r' OR 1=1 --",
        "r'); DROP TABLE transfers; --",
        "${jndi:ldap://x}",
        "{{7*7}}",
        "<script>",
        "\u202e",
        "Ｒ"
      })
  void takesTextsAsTextsWhereverTheyAreAskedFor(String text) {
    givenAccounts("A", "B");
    ledger.post(direct("T1", "A", "B", 1).reference("r"));
    ledger.post(direct("T2", "A", "B", 1).reference(text));
    ledger.change(ChangeRequest.of(account("A")).minBalance(balance(-9)).actor(text));

    assertThat(ids(ledger.find(TransferQuery.reference(text, 9)).items()))
        .containsExactly(id("T2"));
    assertThat(ledger.changes(account("A"), null, 9).items())
        .extracting(AccountChange::actor)
        .containsExactly(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "a::", "a%", "a'", "a\\", " a", "é", "\u0000", "a\u0000", "*"})
  void refusesAPrefixThatNoAccountIdBeginsWith(String prefix) {
    assertThat(misuse(() -> ledger.accounts(AccountQuery.prefix(prefix, 9))).field())
        .isEqualTo("prefix");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void refusesPageSizesBelowOneAndAboveTenThousand(int limit) {
    givenAccounts("A");
    for (Runnable read :
        List.<Runnable>of(
            () -> ledger.statement(StatementQuery.oldestFirst(account("A"), limit)),
            () -> ledger.accounts(AccountQuery.all(limit)),
            () -> ledger.changes(account("A"), null, limit),
            () -> ledger.find(TransferQuery.reference("r", limit)),
            () -> ledger.holds(HoldQuery.all(limit)),
            () -> ledger.journal(null, limit))) {
      assertThat(misuse(read::run).field()).isEqualTo("limit");
    }
  }

  @Test
  void answersForTheMostDistantTimesOrRefusesThem() {
    givenAccounts("A", "B");
    given("direct T1 A→B 1");
    for (Instant far :
        List.of(
            Instant.MIN,
            Instant.parse("-4713-01-01T00:00:00Z"),
            Instant.parse("0001-01-01T00:00:00Z"),
            Instant.EPOCH)) {
      misuse(() -> ledger.balanceAsRecorded(account("A"), far));
      assertThat(ledger.balanceAsEffective(account("A"), far).debits()).isEqualTo(amount(0));
      assertThat(ledger.find(TransferQuery.account(account("A"), 9).recorded(far, null)).items())
          .hasSize(1);
      assertThat(ledger.find(TransferQuery.account(account("A"), 9).recorded(null, far)).items())
          .isEmpty();
      assertThat(ledger.holds(new HoldQuery(null, null, far, null, 9)).items()).isEmpty();
    }
    for (Instant far :
        List.of(
            Instant.MAX,
            Instant.parse("+294277-01-01T00:00:00Z"),
            Instant.parse("9999-12-31T23:59:59.999999999Z"))) {
      misuse(() -> ledger.balanceAsRecorded(account("A"), far));
      assertThat(ledger.balanceAsEffective(account("A"), far).debits()).isEqualTo(amount(1));
      assertThat(ledger.find(TransferQuery.account(account("A"), 9).recorded(null, far)).items())
          .hasSize(1);
      assertThat(ledger.find(TransferQuery.account(account("A"), 9).recorded(far, null)).items())
          .isEmpty();
    }
  }

  @Test
  void readsBetweenMicrosecondsWhatWasThereBefore() {
    givenAccounts("A", "B");
    given("clock +10s", "direct T1 A→B 1", "clock +20s");

    assertThat(ledger.balanceAsRecorded(account("A"), after(10).minusNanos(1)).state().version())
        .isZero();
    assertThat(ledger.balanceAsRecorded(account("A"), after(10).plusNanos(1)).state().version())
        .isEqualTo(1);
    assertThat(ledger.balanceAsEffective(account("A"), after(10).minusNanos(1)).debits())
        .isEqualTo(amount(0));
    assertThat(
            ledger
                .find(
                    TransferQuery.account(account("A"), 9).recorded(null, after(10).minusNanos(1)))
                .items())
        .isEmpty();
    assertThat(
            ledger
                .find(TransferQuery.account(account("A"), 9).recorded(after(10).plusNanos(1), null))
                .items())
        .isEmpty();
  }
}
