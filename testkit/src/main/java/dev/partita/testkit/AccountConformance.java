package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountQuery;
import dev.partita.AccountTerms;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.RegisterResult;
import dev.partita.UnknownAccountException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Assets and accounts: registering, opening, changing, listing. */
abstract class AccountConformance extends Conformance {

  @Test
  void answersEachOfSeveralAssetsByItselfAndInOrder() {
    List<RegisterResult> results =
        ledger.register(
            List.of(
                Asset.of("BTC", 8),
                Asset.iso("EUR"),
                Asset.of("USD", 4),
                Asset.of("BTC", 8),
                Asset.of("BTC", 9)));

    assertThat(results)
        .containsExactly(
            new RegisterResult(Asset.of("BTC", 8), RegisterResult.Status.CREATED),
            new RegisterResult(Asset.of("EUR", 2), RegisterResult.Status.EXISTS),
            new RegisterResult(Asset.of("USD", 2), RegisterResult.Status.EXISTS_DIFFERENT),
            new RegisterResult(Asset.of("BTC", 8), RegisterResult.Status.EXISTS),
            new RegisterResult(Asset.of("BTC", 8), RegisterResult.Status.EXISTS_DIFFERENT));
  }

  @Test
  void listsAssetsInOrderOfTheirCodes() {
    given("asset Z 0", "asset A_1 3", "asset A1 30", "asset AB 1");

    assertThat(ledger.assets())
        .containsExactly(
            Asset.of("A1", 30),
            Asset.of("AB", 1),
            Asset.of("A_1", 3),
            Asset.of("EUR", 2),
            Asset.of("USD", 2),
            Asset.of("Z", 0));
  }

  @Test
  void registersAndOpensNothingForEmptyLists() {
    assertThat(ledger.register(List.of())).isEmpty();
    assertThat(ledger.open(List.of())).isEmpty();
    assertThat(ledger.accounts(AccountQuery.all(10)).items()).isEmpty();
  }

  @Test
  void answersEachOfSeveralAccountsByItselfAndInOrder() {
    givenAccounts("B");

    List<OpenResult> results =
        ledger.open(
            List.of(
                NewAccount.of("C", "EUR"),
                NewAccount.of("A", "GBP"),
                NewAccount.of("B", "EUR"),
                NewAccount.of("B", "USD"),
                NewAccount.of("C", "EUR"),
                NewAccount.of("C", "EUR").code(1)));

    assertThat(results)
        .containsExactly(
            new OpenResult(account("C"), OpenResult.Status.CREATED, null),
            new OpenResult(account("A"), OpenResult.Status.UNKNOWN_ASSET, null),
            new OpenResult(account("B"), OpenResult.Status.EXISTS, null),
            new OpenResult(account("B"), OpenResult.Status.EXISTS_DIFFERENT, "asset"),
            new OpenResult(account("C"), OpenResult.Status.EXISTS, null),
            new OpenResult(account("C"), OpenResult.Status.EXISTS_DIFFERENT, "code"));
    assertThat(ledger.account(account("A"))).isEmpty();
  }

  @Test
  void opensTenThousandAccountsAtOnceAndNotOneMore() {
    List<NewAccount> accounts =
        IntStream.rangeClosed(0, 10_000).mapToObj(i -> NewAccount.of("many:" + i, "EUR")).toList();

    misuse(() -> ledger.open(accounts));
    assertThat(ledger.account(account("many:0"))).isEmpty();
    assertThat(ledger.open(accounts.subList(0, 10_000)))
        .extracting(OpenResult::status)
        .hasSize(10_000)
        .containsOnly(OpenResult.Status.CREATED);
    assertThat(ledger.accounts(AccountQuery.all(10_000)).items()).hasSize(10_000);
  }

  @Test
  void keepsTheLongestIdAndTheFullestMetadata() {
    String longest = "a:".repeat(63) + "zz";
    Map<String, String> notes = new HashMap<>();
    for (int i = 0; i < Metadata.ENTRIES_MAX; i++) {
      notes.put("key.%d-%s".formatted(i, "k".repeat(64 - ("key." + i + "-").length())), "");
    }
    int left = Metadata.BYTES_MAX - notes.keySet().stream().mapToInt(String::length).sum();
    String first = notes.keySet().iterator().next();
    notes.put(first, "é".repeat(left / 2) + "x".repeat(left % 2));
    Metadata full = Metadata.of(notes);
    assertThat(full.bytes()).isEqualTo(Metadata.BYTES_MAX);

    ledger.open(List.of(NewAccount.of(longest, "EUR").metadata(full)));

    Account stored = ledger.account(account(longest)).orElseThrow();
    assertThat(stored.metadata()).isEqualTo(full);
    assertThat(stored.id()).isEqualTo(account(longest));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "NULL",
        "'; DROP TABLE accounts; --",
        "\\",
        "\"",
        "\\u0000",
        "%_",
        "{}",
        "\t\r\n",
        "\u0001\u007f\u0085",
        "ｆｕｌｌ",
        "\u202eright",
        "e\u0301 is not \u00e9",
        "\ud83d\udca9",
        "\uffff\ufdd0\ufeff"
      })
  void keepsEveryStorableTextOfMetadata(String text) {
    Metadata metadata = Metadata.of(Map.of("k", text));
    ledger.open(List.of(NewAccount.of("A", "EUR").metadata(metadata)));
    givenAccounts("B");
    ledger.post(direct("T1", "A", "B", 1).metadata(metadata));
    ChangeResult changed = ledger.change(ChangeRequest.of(account("B")).metadata(metadata));

    assertThat(ledger.account(account("A")).orElseThrow().metadata()).isEqualTo(metadata);
    assertThat(transfer("T1").request().metadata()).isEqualTo(metadata);
    assertThat(changed.account().metadata()).isEqualTo(metadata);
    assertThat(ledger.changes(account("B"), null, 1).items().getFirst().after().metadata())
        .isEqualTo(metadata);
    assertThat(ledger.post(direct("T1", "A", "B", 1).metadata(metadata)).status().isRecorded())
        .isTrue();
  }

  @Test
  void recordsEveryChangeWithNumberTimeActorAndWhatWasBefore() {
    given("open A EUR min 0 max 9 note k=v", "open B EUR");
    given("clock +1s", "change A min 1 actor kim");
    given("direct T1 B→A 5", "direct T2 B→A 1");
    given("clock +2s", "change A max none note none", "change B min -99");
    given("clock +3s", "close A");

    AccountTerms first = new AccountTerms(limits(0L, 9L), Metadata.of(Map.of("k", "v")), false);
    AccountTerms second = new AccountTerms(limits(1L, 9L), Metadata.of(Map.of("k", "v")), false);
    AccountTerms third = new AccountTerms(limits(1L, null), Metadata.EMPTY, false);
    AccountTerms fourth = new AccountTerms(limits(1L, null), Metadata.EMPTY, true);
    assertThat(ledger.changes(account("A"), null, 10).items())
        .containsExactly(
            new AccountChange(account("A"), 1, first, second, 0, after(1), "kim"),
            new AccountChange(account("A"), 2, second, third, 2, after(2), null),
            new AccountChange(account("A"), 3, third, fourth, 2, after(3), null));
    assertThat(ledger.changes(account("B"), null, 10).items())
        .extracting(AccountChange::number, AccountChange::afterVersion)
        .containsExactly(tuple(1L, 2L));
  }

  @Test
  void recordsNothingForAChangeThatWasNotMade() {
    given("open A EUR max 5", "change A min 1");
    ledger.change(ChangeRequest.of(account("A")).minBalance(balance(1)));
    ledger.change(ChangeRequest.of(account("A")).minBalance(balance(2)).ifChange(0));
    ledger.change(ChangeRequest.of(account("A")).minBalance(balance(6)));

    assertThat(ledger.changes(account("A"), null, 10).items()).hasSize(1);
    assertThat(ledger.account(account("A")).orElseThrow().lastChange()).isEqualTo(1);
  }

  @Test
  void answersAChangeWithTheAccountAsItStandsNow() {
    givenAccounts("A", "B");
    given("direct T1 A→B 5");

    ChangeResult changed = ledger.change(ChangeRequest.of(account("B")).maxBalance(balance(9)));
    ChangeResult refused =
        ledger.change(ChangeRequest.of(account("B")).maxBalance(balance(8)).ifChange(7));

    assertThat(changed.account().limits()).isEqualTo(limits(null, 9L));
    assertThat(changed.account().lastChange()).isEqualTo(1);
    assertThat(changed.account().balance().balance()).isEqualTo(balance(5));
    assertThat(refused.status()).isEqualTo(ChangeResult.Status.CHANGED_MEANWHILE);
    assertThat(refused.account()).isEqualTo(changed.account());
    assertThat(refused.account()).isEqualTo(ledger.account(account("B")).orElseThrow());
  }

  @Test
  void saysThatAnAccountIsUnknownWhenItIsToBeChanged() {
    assertThat(misuse(() -> ledger.change(ChangeRequest.of(account("X")).close())))
        .isInstanceOf(UnknownAccountException.class);
    assertThat(misuse(() -> ledger.changes(account("X"), null, 1)))
        .isInstanceOf(UnknownAccountException.class);
  }

  @Test
  void listsAccountsInOrderOfTheBytesOfTheirIds() {
    List<String> ids =
        new ArrayList<>(
            List.of("a", "B", "b", "A", "a:b", "a-b", "a.b", "a_b", "ab", "a0", "a:0", "9", "aB"));
    ids.forEach(id -> given("open " + id + " EUR"));
    Collections.sort(ids);

    assertThat(listed(AccountQuery.all(100))).isEqualTo(ids);
  }

  @Test
  void narrowsAListByPrefixAssetAndCode() {
    given("open shop:1:eur EUR code 1", "open shop:1:usd USD code 1", "open shop:10:eur EUR");
    given("open shop_1 EUR code 1", "open shopX1 EUR code 2", "open user:1 EUR code 1");

    assertThat(listed(AccountQuery.prefix("shop:1", 9)))
        .containsExactly("shop:10:eur", "shop:1:eur", "shop:1:usd");
    assertThat(listed(AccountQuery.prefix("shop:1:", 9)))
        .containsExactly("shop:1:eur", "shop:1:usd");
    assertThat(listed(AccountQuery.prefix("shop_", 9))).containsExactly("shop_1");
    assertThat(listed(AccountQuery.prefix("shop:1:eur", 9))).containsExactly("shop:1:eur");
    assertThat(listed(AccountQuery.prefix("shop:1:eur:", 9))).isEmpty();
    assertThat(listed(AccountQuery.prefix("SHOP", 9))).isEmpty();
    assertThat(listed(new AccountQuery(null, USD, null, null, 9))).containsExactly("shop:1:usd");
    assertThat(listed(new AccountQuery(null, null, 1, null, 9)))
        .containsExactly("shop:1:eur", "shop:1:usd", "shop_1", "user:1");
    assertThat(listed(new AccountQuery("shop", EUR, 1, null, 9)))
        .containsExactly("shop:1:eur", "shop_1");
    assertThat(listed(new AccountQuery(null, null, 0, null, 9))).containsExactly("shop:10:eur");
    assertThat(listed(new AccountQuery(null, new AssetCode("EUR"), 65_535, null, 9))).isEmpty();
  }

  private List<String> listed(AccountQuery query) {
    return ledger.accounts(query).items().stream().map(account -> account.id().value()).toList();
  }

  private static Limits limits(@Nullable Long min, @Nullable Long max) {
    return new Limits(min == null ? null : balance(min), max == null ? null : balance(max));
  }
}
