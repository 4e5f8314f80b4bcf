package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountId;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.HistoryChangedException;
import dev.partita.LedgerEvent;
import dev.partita.Page;
import dev.partita.Progress;
import dev.partita.TransferRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the feed tells of older rows, and how it notices that history was exchanged. */
class FeedHistoryTest {

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
  }

  @AfterEach
  void close() throws SQLException {
    stage.close();
  }

  private List<LedgerEvent> all() {
    List<LedgerEvent> events = new ArrayList<>();
    Page<LedgerEvent> page = ledger.feed(null, 3);
    while (!page.items().isEmpty()) {
      events.addAll(page.items());
      page = ledger.feed(page.next(), 3);
    }
    return events;
  }

  private List<String> names() {
    return all().stream().map(LedgerEvent::id).toList();
  }

  private void change(String account, long least) {
    ledger.change(ChangeRequest.of(AccountId.of(account)).minBalance(Balance.ofMinor(least)));
  }

  /** As the owner, past the triggers: what a restore would do. */
  private void asOwner(String... statements) throws SQLException {
    try (Connection owner = TestServer.owner().getConnection();
        Statement statement = owner.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql.replace("%s", stage.schema()));
      }
    }
  }

  private UUID post(String debit, String credit) {
    TransferRequest request = Stage.direct(debit, credit, 1);
    ledger.post(request);
    return request.id();
  }

  /** The columns are made again, as if the rows had been there before. */
  @Test
  void tellsWhatWasRecordedBeforeThereWasAFeed() throws SQLException, IOException {
    Stage.open(ledger, "a", "b", "c");
    change("a", -100);
    UUID one = post("a", "b");
    change("b", -7);
    change("a", -101);
    change("b", -8);
    UUID two = post("b", "a");
    UUID three = post("a", "c");
    change("c", -1);
    asOwner(
        "ALTER TABLE %s.account DROP COLUMN batch CASCADE",
        "ALTER TABLE %s.account_change DROP COLUMN batch",
        "DROP TRIGGER IF EXISTS immutable ON %s.account",
        "CREATE TRIGGER immutable BEFORE UPDATE ON %s.account FOR EACH ROW WHEN (OLD.id <> NEW.id)"
            + " EXECUTE FUNCTION %s.refuse_change()",
        migration());

    assertThat(names())
        .containsExactly(
            "opened:a",
            "opened:b",
            "opened:c",
            "changed:a:1",
            "transfer:" + one,
            "changed:a:2",
            "changed:b:1",
            "changed:b:2",
            "transfer:" + two,
            "transfer:" + three,
            "changed:c:1");
    Stage.open(ledger, "d");
    change("a", -102);
    assertThat(names()).endsWith("opened:d", "changed:a:3").hasSize(13);
    for (LedgerEvent event : all()) {
      assertThat(ledger.feed(event.cursor(), 1)).isNotNull();
    }
    assertThat(ledger.verify(Progress.NONE).violations()).isEmpty();
  }

  private static String migration() throws IOException {
    try (InputStream in =
        PostgresSchema.class.getResourceAsStream("/dev/partita/postgres/db/V005__feed.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("${schema}", "%s");
    }
  }

  /** A program of an earlier version, which does not know the columns. */
  @Test
  void takesInWhatAnOlderProgramWrites() throws SQLException {
    Stage.open(ledger, "a");
    try (Connection connection = TestServer.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          ("INSERT INTO %s.account (opened_at, code, normal, id, asset)"
                  + " VALUES (now(), 0, 1, 'x', 'EUR'), (now(), 0, 1, 'y', 'EUR')")
              .replace("%s", stage.schema()));
    }
    UUID one = post("x", "y");
    assertThat(names()).containsExactly("opened:a", "opened:x", "opened:y", "transfer:" + one);
  }

  @Test
  void noticesThatTheLastEventIsGone() throws SQLException {
    Stage.open(ledger, "a", "b");
    post("a", "b");
    String kept = all().getLast().cursor();
    post("a", "b");
    String lost = all().getLast().cursor();
    // Put back to an earlier state, which the sequence went on from.
    asOwner(
        "ALTER TABLE %s.transfer DISABLE TRIGGER immutable",
        "DELETE FROM %s.transfer WHERE debit_version = 2",
        "ALTER TABLE %s.transfer ENABLE TRIGGER immutable");
    assertThatThrownBy(() -> ledger.feed(lost, 1)).isInstanceOf(HistoryChangedException.class);
    assertThat(ledger.feed(kept, 1).items()).isEmpty();
  }

  @Test
  void noticesThatAnotherEventTookItsPlace() throws SQLException {
    Stage.open(ledger, "a", "b");
    UUID id = post("a", "b");
    change("b", -5);
    List<LedgerEvent> before = all();
    asOwner(
        "ALTER TABLE %s.transfer DISABLE TRIGGER immutable",
        "ALTER TABLE %s.account_change DISABLE TRIGGER immutable",
        "ALTER TABLE %s.account DISABLE TRIGGER immutable",
        // The same transfer, repeated by its caller after the restore; the same change, made later.
        "UPDATE %s.transfer SET recorded_at = recorded_at + interval '1 second' WHERE id = '"
            + id
            + "'",
        "UPDATE %s.account_change SET recorded_at = recorded_at + interval '1 second'",
        "UPDATE %s.account SET id = 'z' WHERE id = 'b'",
        "ALTER TABLE %s.account ENABLE TRIGGER immutable",
        "ALTER TABLE %s.account_change ENABLE TRIGGER immutable",
        "ALTER TABLE %s.transfer ENABLE TRIGGER immutable");
    assertThat(ledger.feed(before.get(0).cursor(), 1).items()).hasSize(1);
    for (LedgerEvent gone : before.subList(1, before.size())) {
      assertThatThrownBy(() -> ledger.feed(gone.cursor(), 1))
          .as(gone.id())
          .isInstanceOf(HistoryChangedException.class)
          .hasMessageContaining("earlier state");
    }
  }

  @Test
  void noticesAnotherIncarnation() throws SQLException {
    String start = ledger.feed(null, 1).next();
    asOwner("UPDATE %s.ledger SET incarnation = gen_random_uuid()");
    assertThatThrownBy(() -> ledger.feed(start, 1))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("another ledger");
  }

  @Test
  void keepsThePlaceOfAnAccount() {
    Stage.open(ledger, "a");
    assertThatThrownBy(
            () -> {
              try (Connection owner = TestServer.owner().getConnection();
                  Statement statement = owner.createStatement()) {
                statement.execute("UPDATE " + stage.schema() + ".account SET batch = batch + 1");
              }
            })
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("is refused");
  }
}
