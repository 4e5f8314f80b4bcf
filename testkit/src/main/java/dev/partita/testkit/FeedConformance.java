package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.ChangeRequest;
import dev.partita.HistoryChangedException;
import dev.partita.Ledger;
import dev.partita.LedgerEvent;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.Page;
import dev.partita.PostRequest;
import dev.partita.Transfer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assumptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The change feed: everything once, in order, from any place on. */
abstract class FeedConformance extends Conformance {

  private void givenHistory() {
    given("open A EUR debit code 7 note kind=bank", "open B EUR min 0", "open C USD");
    given("direct T1 A→B 100", "change B min 5 max 900 actor ops", "pending H A→B 50 timeout 60");
    given("change B note tier=gold", "post P H 20 keep", "reverse R T1 10", "close C", "void V H");
    given("pending H2 A→B 3 timeout 1", "clock +2s", "expire 10", "reopen C");
    ledger.post(new PostRequest(List.of(direct("T2", "A", "B", 1), direct("T3", "B", "A", 2))));
    given("open D EUR", "direct T4 A→D 4", "close D");
  }

  /** The events of {@link #givenHistory}. */
  private static final List<String> HISTORY =
      List.of(
          "opened:A",
          "opened:B",
          "opened:C",
          "transfer:" + id("T1"),
          "changed:B:1",
          "transfer:" + id("H"),
          "changed:B:2",
          "transfer:" + id("P"),
          "transfer:" + id("R"),
          "changed:C:1",
          "transfer:" + id("V"),
          "transfer:" + id("H2"),
          "changed:C:2",
          "transfer:" + id("T2"),
          "transfer:" + id("T3"),
          "opened:D",
          "transfer:" + id("T4"),
          "changed:D:1");

  /** All events from a cursor on, asked for until a page has none. */
  static List<LedgerEvent> events(Ledger ledger, @Nullable String from, int limit) {
    List<LedgerEvent> events = new ArrayList<>();
    String cursor = from;
    while (true) {
      Page<LedgerEvent> page = ledger.feed(cursor, limit);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      assertThat(page.next()).isNotNull();
      if (page.items().isEmpty()) {
        return events;
      }
      events.addAll(page.items());
      cursor = page.next();
    }
  }

  private List<LedgerEvent> all() {
    return events(ledger, null, PAGE_MAX);
  }

  private static List<String> names(List<LedgerEvent> events) {
    return events.stream().map(LedgerEvent::id).toList();
  }

  /** Without the cursor, which need not be the same text for the same place. */
  private static List<LedgerEvent> contents(List<LedgerEvent> events) {
    return events.stream().map(event -> event.at("")).toList();
  }

  @Test
  void tellsEverythingInOrder() {
    givenHistory();
    List<String> expected = new ArrayList<>(HISTORY);
    List<Transfer> journal = ledger.journal(null, PAGE_MAX).items();
    // An EXPIRY has an id of its own choosing.
    expected.add(
        expected.indexOf("changed:C:2"),
        "transfer:"
            + journal.stream()
                .filter(t -> id("H2").equals(t.relatedId()))
                .findFirst()
                .orElseThrow()
                .id());
    assertThat(names(all())).isEqualTo(expected);
  }

  @Test
  void tellsWhatIsRecorded() {
    givenHistory();
    List<Transfer> transfers = new ArrayList<>();
    for (LedgerEvent event : all()) {
      switch (event) {
        case LedgerEvent.AccountOpened opened ->
            assertThat(opened.recordedAt())
                .isEqualTo(ledger.account(opened.account().id()).orElseThrow().openedAt());
        case LedgerEvent.AccountChanged changed -> {
          AccountId id = changed.change().account();
          assertThat(ledger.changes(id, null, PAGE_MAX).items()).contains(changed.change());
          assertThat(changed.asset()).isEqualTo(ledger.account(id).orElseThrow().asset());
        }
        case LedgerEvent.TransferRecorded recorded -> transfers.add(recorded.transfer());
      }
    }
    assertThat(transfers).isEqualTo(ledger.journal(null, PAGE_MAX).items());
  }

  @Test
  void tellsAnOpeningAsItWasWhateverWasChangedSince() {
    given("open A EUR debit min -9 max 7 code 3 note a=b");
    LedgerEvent before = all().getLast();
    given("change A min none max none note none", "change A max 1 note c=d", "close A");

    LedgerEvent.AccountOpened opened = (LedgerEvent.AccountOpened) all().getFirst();
    assertThat(opened.at("")).isEqualTo(before.at(""));
    assertThat(opened.account().limits().minBalance()).isEqualTo(balance(-9));
    assertThat(opened.account().limits().maxBalance()).isEqualTo(balance(7));
    assertThat(opened.account().metadata().asMap()).isEqualTo(Map.of("a", "b"));
    assertThat(opened.account().code()).isEqualTo(3);
  }

  @Test
  void keepsTheOrderOfEveryAccount() {
    givenHistory();
    Map<AccountId, Long> versions = new HashMap<>();
    for (LedgerEvent event : all()) {
      switch (event) {
        case LedgerEvent.AccountOpened opened ->
            assertThat(versions.put(opened.account().id(), 0L)).isNull();
        case LedgerEvent.AccountChanged changed ->
            assertThat(versions)
                .containsEntry(changed.change().account(), changed.change().afterVersion());
        case LedgerEvent.TransferRecorded recorded -> {
          Transfer transfer = recorded.transfer();
          for (AccountBalance after : List.of(transfer.debitAfter(), transfer.creditAfter())) {
            assertThat(versions.put(after.account(), after.version()))
                .isEqualTo(after.version() - 1);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 19, 10_000})
  void goesOnFromEveryPlace(int limit) {
    givenHistory();
    List<LedgerEvent> whole = all();
    assertThat(contents(events(ledger, null, limit))).isEqualTo(contents(whole));
    for (int i = 0; i < whole.size(); i++) {
      assertThat(contents(events(ledger, whole.get(i).cursor(), limit)))
          .as("after " + whole.get(i).id())
          .isEqualTo(contents(whole.subList(i + 1, whole.size())));
    }
  }

  @Test
  void saysWhereToGoOnEvenIfThereIsNothing() {
    Page<LedgerEvent> nothing = ledger.feed(null, 5);
    assertThat(nothing.items()).isEmpty();
    given("open A EUR", "open B EUR");
    Page<LedgerEvent> opened = ledger.feed(nothing.next(), 5);
    assertThat(names(opened.items())).containsExactly("opened:A", "opened:B");
    Page<LedgerEvent> again = ledger.feed(opened.next(), 5);
    assertThat(again.items()).isEmpty();
    ledger.post(direct("refused", "A", "A", 1));
    given("direct T A→B 1");
    assertThat(names(ledger.feed(again.next(), 5).items())).containsExactly("transfer:" + id("T"));
    assertThat(names(ledger.feed(opened.next(), 5).items())).containsExactly("transfer:" + id("T"));
  }

  @Test
  void tellsNothingOfWhatWasNotRecorded() {
    given("open A EUR min 0", "open B EUR");
    String cursor = all().getLast().cursor();
    assertThat(post(direct("T", "A", "B", 1)).getFirst().transfer()).isNull();
    given("direct U B→A 5");
    ledger.post(direct("U", "B", "A", 5));
    ledger.open(List.of(NewAccount.of("A", "EUR")));
    ledger.change(ChangeRequest.of(account("A")).minBalance(balance(0)));
    assertThat(names(events(ledger, cursor, 3))).containsExactly("transfer:" + id("U"));
  }

  @Test
  void misusesAreToldApart() {
    given("open A EUR", "open B EUR", "direct T A→B 1");
    String cursor = all().getFirst().cursor();
    assertThat(misuse(() -> ledger.feed("nonsense", 1)))
        .isNotInstanceOf(HistoryChangedException.class)
        .extracting(MisuseException::field)
        .isEqualTo("cursor");
    String journal = ledger.journal(null, 1).next();
    assertThat(misuse(() -> ledger.feed(journal, 1)))
        .isNotInstanceOf(HistoryChangedException.class);
    assertThat(misuse(() -> ledger.journal(cursor, 1))).isNotNull();
    assertThat(misuse(() -> ledger.feed(cursor, 0)).field()).isEqualTo("limit");
    assertThat(misuse(() -> ledger.feed(cursor, PAGE_MAX + 1)).field()).isEqualTo("limit");
  }

  @Test
  void refusesTheCursorOfAnotherLedger() {
    givenHistory();
    Ledger other = engine().open(clock);
    try {
      other.register(ledger.assets());
      other.open(List.of(NewAccount.of("X", "EUR"), NewAccount.of("Y", "EUR")));
      for (LedgerEvent event : all()) {
        assertThatThrownBy(() -> other.feed(event.cursor(), 5))
            .isInstanceOf(HistoryChangedException.class)
            .hasMessageContaining("cursor");
      }
    } finally {
      engine().dispose(other);
    }
  }

  @Test
  void goesOnAfterARestart() {
    Assumptions.assumeThat(engine().durable()).as("durable").isTrue();
    givenHistory();
    List<LedgerEvent> before = all();
    ledger.close();
    ledger = engine().reopen(ledger, clock);
    assertThat(contents(events(ledger, before.get(5).cursor(), 4)))
        .isEqualTo(contents(before.subList(6, before.size())));
  }
}
