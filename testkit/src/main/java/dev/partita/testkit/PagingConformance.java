package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountQuery;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.assertj.core.api.Assumptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paging: nothing twice, nothing missed, both ways, while writers go on and across restarts. */
abstract class PagingConformance extends Conformance {

  private static final int LINES = 60;

  private int written;

  private void givenLines() {
    given("open A EUR code 1", "open B EUR code 1", "open C EUR code 1");
    List<PostItem> items = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      items.add(direct("T" + i, "A", "B", i).reference("r"));
    }
    ledger.post(new PostRequest(items));
  }

  /** What other writers do between two pages: all kinds of records, both before and after. */
  private void writeMore() {
    int n = written++;
    ledger.post(direct("more" + n, "A", "B", 1).reference("r").effectiveAt(after(-n)));
    ledger.post(direct("back" + n, "B", "A", 1).reference("r"));
    ledger.post(pending("hold" + n, "A", "B", 1).reference("r"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 59, 60, 61, 10_000})
  void readsAStatementBothWaysInPagesOfAnySize(int size) {
    givenLines();

    List<UUID> oldest = new ArrayList<>();
    String cursor = null;
    int pages = 0;
    do {
      Page<Entry> page =
          ledger.statement(StatementQuery.oldestFirst(account("A"), size).from(cursor));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(size).isNotEmpty();
      page.items().forEach(entry -> oldest.add(entry.transfer().id()));
      cursor = page.next();
      pages++;
    } while (cursor != null);
    List<UUID> newest =
        ReadsDuel.all(c -> ledger.statement(StatementQuery.newestFirst(account("A"), size).from(c)))
            .stream()
            .map(entry -> entry.transfer().id())
            .toList();

    assertThat(oldest).hasSize(LINES).doesNotHaveDuplicates().isEqualTo(newest.reversed());
    assertThat(oldest.getFirst()).isEqualTo(id("T0"));
    assertThat(pages).isEqualTo((LINES + size - 1) / size);
  }

  @Test
  void hasOnePageWithoutASuccessorForNothing() {
    givenAccounts("A");
    assertThat(ledger.statement(StatementQuery.oldestFirst(account("A"), 5)))
        .isEqualTo(new Page<Entry>(List.of(), null));
    assertThat(ledger.holds(HoldQuery.all(5))).isEqualTo(new Page<Hold>(List.of(), null));
    assertThat(ledger.find(TransferQuery.reference("r", 5)))
        .isEqualTo(new Page<Transfer>(List.of(), null));
    assertThat(ledger.changes(account("A"), null, 5).next()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 30})
  void showsEveryLineOnceOldestFirstWhileWritersGoOn(int size) {
    givenLines();
    List<UUID> before = ids(transfersOf("A"));

    List<UUID> read =
        pagedWhileWriting(
            c -> ledger.statement(StatementQuery.oldestFirst(account("A"), size).from(c)),
            entry -> entry.transfer().id(),
            LINES / size + 1);

    assertThat(read).doesNotHaveDuplicates();
    assertThat(read.subList(0, LINES)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 30})
  void showsEveryLineOnceNewestFirstWhileWritersGoOn(int size) {
    givenLines();
    List<UUID> before = ids(transfersOf("A"));

    List<UUID> read =
        pagedWhileWriting(
            c -> ledger.statement(StatementQuery.newestFirst(account("A"), size).from(c)),
            entry -> entry.transfer().id(),
            LINES + 1);

    assertThat(read).isEqualTo(before.reversed());
  }

  @Test
  void findsEveryTransferOnceWhileWritersGoOn() {
    givenLines();
    for (TransferQuery query :
        List.of(
            TransferQuery.reference("r", 7),
            TransferQuery.account(account("A"), 7),
            TransferQuery.between(after(0), after(1), 7))) {
      List<UUID> before = ids(ReadsDuel.all(c -> ledger.find(query.from(c))));
      List<UUID> read =
          pagedWhileWriting(c -> ledger.find(query.from(c)), Transfer::id, before.size() / 7 + 1);
      assertThat(read).doesNotHaveDuplicates();
      assertThat(read.subList(0, before.size())).isEqualTo(before);
    }
  }

  @Test
  void listsEveryAccountThatWasThereOnceWhileOthersAreOpened() {
    for (int i = 10; i < 40; i++) {
      given("open a" + i + " EUR");
    }
    Set<String> before = new HashSet<>();
    ledger.accounts(AccountQuery.all(100)).items().forEach(a -> before.add(a.id().value()));
    List<String> read = new ArrayList<>();
    String cursor = null;
    int n = 10;
    do {
      Page<Account> page = ledger.accounts(AccountQuery.prefix("a", 4).from(cursor));
      page.items().forEach(account -> read.add(account.id().value()));
      cursor = page.next();
      given("open a" + n + "x EUR", "open A" + n + " EUR");
      n++;
    } while (cursor != null);

    assertThat(read).doesNotHaveDuplicates().isSorted().containsAll(before);
  }

  @Test
  void listsEveryHoldThatStaysOpenOnceWhileOthersComeAndGo() {
    givenAccounts("A", "B");
    for (int i = 0; i < 40; i++) {
      given("pending H" + i + " A→B 1");
    }
    List<UUID> read = new ArrayList<>();
    String cursor = null;
    int n = 0;
    do {
      Page<Hold> page = ledger.holds(HoldQuery.all(4).from(cursor));
      page.items().forEach(hold -> read.add(hold.id()));
      cursor = page.next();
      // The hold that ended the page, one long read and one still to come.
      given("void V" + n + " H" + (n * 4 + 3), "pending N" + n + " A→B 1");
      n++;
    } while (cursor != null && n < 10);

    assertThat(read).doesNotHaveDuplicates();
    for (int i = 0; i < 36; i++) {
      assertThat(read).contains(id("H" + i));
    }
  }

  @Test
  void readsTheJournalOnceWhileWritersGoOn() {
    givenLines();
    List<UUID> read = new ArrayList<>();
    String cursor = null;
    for (int i = 0; i < 30; i++) {
      Page<Transfer> page = ledger.journal(cursor, 7);
      read.addAll(ids(page.items()));
      cursor = Objects.requireNonNull(page.next(), "the journal always has a place to go on");
      writeMore();
    }
    List<UUID> all = new ArrayList<>();
    for (String at = null; all.size() < LINES + 3 * 30; ) {
      Page<Transfer> page = ledger.journal(at, PAGE_MAX);
      all.addAll(ids(page.items()));
      at = page.next();
    }

    assertThat(read).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(LINES);
    assertThat(read).isEqualTo(all.subList(0, read.size()));
  }

  @Test
  void pagesThroughTheChangesOfAnAccount() {
    givenAccounts("A");
    for (int i = 1; i <= 20; i++) {
      given("change A min -" + i);
    }
    List<Long> numbers = new ArrayList<>();
    String cursor = null;
    int next = 21;
    do {
      Page<AccountChange> page = ledger.changes(account("A"), cursor, 3);
      page.items().forEach(change -> numbers.add(change.number()));
      cursor = page.next();
      if (next < 25) {
        given("change A min -" + next++);
      }
    } while (cursor != null);

    assertThat(numbers)
        .isSorted()
        .doesNotHaveDuplicates()
        .startsWith(1L, 2L)
        .hasSizeBetween(20, 24);
  }

  @Test
  void letsAPageBeOfAnotherSizeThanTheOneBefore() {
    givenLines();
    Page<Entry> first = ledger.statement(StatementQuery.oldestFirst(account("A"), 10));
    Page<Entry> second =
        ledger.statement(StatementQuery.oldestFirst(account("A"), 3).from(first.next()));

    assertThat(second.items()).extracting(Entry::version).containsExactly(11L, 12L, 13L);
  }

  /** Each question and a cursor that belongs to it. */
  private Map<String, Function<@Nullable String, Page<?>>> questions() {
    Map<String, Function<@Nullable String, Page<?>>> questions = new LinkedHashMap<>();
    StatementQuery oldest = StatementQuery.oldestFirst(account("A"), 2);
    questions.put("statement of A", c -> ledger.statement(oldest.from(c)));
    questions.put(
        "statement of A, newest first",
        c -> ledger.statement(StatementQuery.newestFirst(account("A"), 2).from(c)));
    questions.put(
        "statement of B",
        c -> ledger.statement(StatementQuery.oldestFirst(account("B"), 2).from(c)));
    questions.put("accounts", c -> ledger.accounts(AccountQuery.all(1).from(c)));
    questions.put("accounts of EUR", c -> ledger.accounts(new AccountQuery(null, EUR, null, c, 1)));
    questions.put(
        "accounts of code 1", c -> ledger.accounts(new AccountQuery(null, null, 1, c, 1)));
    questions.put("find r", c -> ledger.find(TransferQuery.reference("r", 2).from(c)));
    questions.put(
        "find r, code 0", c -> ledger.find(TransferQuery.reference("r", 2).code(0).from(c)));
    questions.put("find A", c -> ledger.find(TransferQuery.account(account("A"), 2).from(c)));
    questions.put(
        "find in a time", c -> ledger.find(TransferQuery.between(after(0), after(9), 2).from(c)));
    questions.put("holds", c -> ledger.holds(HoldQuery.all(2).from(c)));
    questions.put("holds of A", c -> ledger.holds(HoldQuery.account(account("A"), 2).from(c)));
    questions.put("changes of A", c -> ledger.changes(account("A"), c, 2));
    questions.put("changes of B", c -> ledger.changes(account("B"), c, 2));
    questions.put("journal", c -> ledger.journal(c, 2));
    questions.put("feed", c -> ledger.feed(c, 2));
    return questions;
  }

  private void givenSomethingToPage() {
    givenLines();
    for (int i = 1; i < 5; i++) {
      writeMore();
      given("change A min -10000" + i, "change B max 10000" + i);
    }
  }

  @Test
  void refusesCursorsThatBelongToAnotherQuestion() {
    givenSomethingToPage();
    questions()
        .forEach(
            (name, question) -> {
              String cursor = Objects.requireNonNull(question.apply(null).next(), name);
              questions()
                  .forEach(
                      (other, foreign) -> {
                        if (!other.equals(name)) {
                          assertRefused(other + " from a cursor of " + name, foreign, cursor);
                        }
                      });
              assertThat(question.apply(cursor).items()).as(name).isNotEmpty();
            });
  }

  @Test
  void refusesCursorsThatWereChanged() {
    givenSomethingToPage();
    questions()
        .forEach(
            (name, question) -> {
              String cursor = Objects.requireNonNull(question.apply(null).next(), name);
              for (int i = 0; i < cursor.length(); i++) {
                char changed = cursor.charAt(i) == 'A' ? 'B' : 'A';
                String tampered = cursor.substring(0, i) + changed + cursor.substring(i + 1);
                assertRefused(name + " from a changed cursor", question, tampered);
              }
              assertRefused(name, question, cursor.substring(1));
              assertRefused(name, question, cursor.substring(0, cursor.length() - 1));
              assertRefused(name, question, cursor + cursor.charAt(cursor.length() - 1));
            });
  }

  @Test
  void refusesCursorsThatNoQuestionMade() {
    givenSomethingToPage();
    questions()
        .forEach(
            (name, question) -> {
              for (String junk :
                  List.of(
                      "",
                      " ",
                      "0",
                      "1",
                      "-1",
                      "null",
                      "A",
                      "AAAA",
                      "AAAAAAAAAAAAAAAAAAAAAA==",
                      "\u0000",
                      "é",
                      "\ud800",
                      "'; DROP TABLE x",
                      "%",
                      "../..",
                      "e30",
                      "x".repeat(10_000),
                      "9".repeat(400))) {
                assertRefused(name, question, junk);
              }
            });
  }

  private static void assertRefused(
      String what, Function<@Nullable String, Page<?>> question, String cursor) {
    String shown = cursor.length() > 200 ? cursor.length() + " characters" : cursor;
    assertThatThrownBy(() -> question.apply(cursor))
        .as("%s: '%s'", what, shown)
        .asInstanceOf(type(MisuseException.class))
        .extracting(MisuseException::field)
        .isEqualTo("cursor");
  }

  @Test
  void goesOnFromCursorsAfterARestart() {
    Assumptions.assumeThat(engine().durable()).as("durable").isTrue();
    givenSomethingToPage();
    Map<String, String> cursors = new LinkedHashMap<>();
    Map<String, List<?>> expected = new LinkedHashMap<>();
    questions()
        .forEach(
            (name, question) -> {
              String cursor = Objects.requireNonNull(question.apply(null).next(), name);
              cursors.put(name, cursor);
              expected.put(name, question.apply(cursor).items());
            });

    ledger.close();
    ledger = engine().reopen(ledger, clock);

    questions()
        .forEach(
            (name, question) ->
                assertThat(question.apply(cursors.get(name)).items())
                    .as(name)
                    .isEqualTo(expected.get(name)));
  }

  @Test
  void findsNothingTwiceWhenAllTimesAreTheSame() {
    givenLines();
    List<UUID> read =
        ids(ReadsDuel.all(c -> ledger.find(TransferQuery.between(START, START, 7).from(c))));

    assertThat(read).hasSize(LINES).doesNotHaveDuplicates();
    assertThat(read).isEqualTo(ids(transfersOf("A")));
  }

  /** Ten thousand lines of one instant: only their versions tell them apart. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pagesThroughTenThousandLinesOfTheSameInstantWhileWritersGoOn(boolean newestFirst) {
    given("open A EUR code 1", "open B EUR code 1", "open C EUR code 1");
    List<PostItem> items = new ArrayList<>();
    for (int i = 0; i < PAGE_MAX; i++) {
      items.add(direct("T" + i, "A", "B", 1).reference("r"));
    }
    ledger.post(new PostRequest(items));
    List<UUID> before = items.stream().map(item -> ((TransferRequest) item).id()).toList();
    StatementQuery query =
        newestFirst
            ? StatementQuery.newestFirst(account("A"), 997)
            : StatementQuery.oldestFirst(account("A"), 997);

    List<UUID> lines =
        pagedWhileWriting(c -> ledger.statement(query.from(c)), entry -> entry.transfer().id(), 11);
    List<UUID> found =
        pagedWhileWriting(
            c -> ledger.find(TransferQuery.reference("r", 997).from(c)), Transfer::id, 11);

    assertThat(lines).doesNotHaveDuplicates();
    assertThat(lines.subList(0, PAGE_MAX)).isEqualTo(newestFirst ? before.reversed() : before);
    assertThat(found).doesNotHaveDuplicates();
    assertThat(found.subList(0, PAGE_MAX)).isEqualTo(before);
  }

  private List<Transfer> transfersOf(String account) {
    return ledger.statement(StatementQuery.oldestFirst(account(account), PAGE_MAX)).items().stream()
        .map(Entry::transfer)
        .toList();
  }

  /** Reads at most so many pages, with writes after each. */
  private <T> List<UUID> pagedWhileWriting(
      Function<@Nullable String, Page<T>> read, Function<T, UUID> id, int pagesMax) {
    List<UUID> ids = new ArrayList<>();
    String cursor = null;
    for (int i = 0; i < pagesMax; i++) {
      Page<T> page = read.apply(cursor);
      page.items().forEach(item -> ids.add(id.apply(item)));
      writeMore();
      cursor = page.next();
      if (cursor == null) {
        break;
      }
    }
    return ids;
  }
}
