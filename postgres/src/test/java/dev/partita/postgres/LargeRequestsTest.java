package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is sent and answered is more than lies between client and server: nobody waits for ever. */
class LargeRequestsTest {

  private static final int COUNT = 3_000;

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, accounts());
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  /** As long as ids may be. */
  private static String[] accounts() {
    String[] ids = new String[COUNT];
    for (int i = 0; i < COUNT; i++) {
      String number = Integer.toString(i);
      ids[i] = "a".repeat(AccountId.LENGTH_MAX - number.length() - 1) + ":" + number;
    }
    return ids;
  }

  private void post(List<? extends PostItem> items, TransferStatus expected) {
    assertThat(ledger.post(new PostRequest(List.copyOf(items))).transfers())
        .hasSize(items.size())
        .allSatisfy(result -> assertThat(result.status()).isEqualTo(expected));
  }

  @Test
  void holdsOnThousandsOfAccountsAndTheirCapturesAndRepeats() {
    String[] accounts = accounts();
    List<TransferRequest> holds = new ArrayList<>();
    List<TransferRequest> captures = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      UUID id = UUID.randomUUID();
      holds.add(Stage.pending(id, accounts[i], accounts[(i + 1) % COUNT], 7));
      captures.add(TransferRequest.capture(UUID.randomUUID(), id));
    }
    post(holds, CREATED);
    post(captures, CREATED);
    post(captures, EXISTS);
    post(holds, EXISTS);
    assertThat(stage.transfers()).isEqualTo(2 * COUNT);
  }

  @Test
  void transfersOnAccountsThatTheLaneKnows() {
    String[] accounts = accounts();
    for (int times = 0; times < 6; times++) {
      List<TransferRequest> transfers = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        transfers.add(Stage.direct(accounts[i], accounts[(i + 1 + times) % COUNT], 1));
      }
      post(transfers, CREATED);
    }
    assertThat(stage.transfers()).isEqualTo(6 * COUNT);
  }
}
