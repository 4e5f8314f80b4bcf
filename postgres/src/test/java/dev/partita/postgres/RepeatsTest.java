package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static dev.partita.TransferStatus.EXISTS_DIFFERENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After a batch of nothing but repeats the next one is first looked for without locks. */
class RepeatsTest {

  private Stage stage;
  private PostgresLedger ledger;
  private TransferRequest request;
  private Transfer recorded;

  @BeforeEach
  void repeatOnce() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "a", "b", "c");
    request = Stage.direct("a", "b", 10);
    recorded = ledger.post(request).orThrow();
    assertThat(ledger.post(request).status()).isEqualTo(EXISTS);
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void repeatsAreAnsweredWhileOthersHaveTheAccountsLocked() throws Exception {
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, "a", "b");
      Future<TransferResult> repeat = stage.start(() -> ledger.post(request));
      assertThat(repeat.get(1, TimeUnit.MINUTES)).isEqualTo(TransferResult.exists(recorded));
      holder.rollback();
    }
  }

  @Test
  void anotherRequestUnderARecordedIdIsFoundOut() {
    TransferRequest other = Stage.direct(request.id(), "a", "b", 11);
    assertThat(ledger.post(other).status()).isEqualTo(EXISTS_DIFFERENT);
    assertThat(ledger.post(request)).isEqualTo(TransferResult.exists(recorded));
  }

  @Test
  void whatIsNewAmongRepeatsIsRecorded() {
    TransferRequest fresh = Stage.direct("b", "c", 3);
    PostResult mixed = ledger.post(new PostRequest(List.of(request, fresh, request)));
    assertThat(mixed.transfers())
        .extracting(TransferResult::status)
        .containsExactly(EXISTS, CREATED, EXISTS);
    assertThat(ledger.post(fresh).status()).isEqualTo(EXISTS);
    assertThat(stage.transfers()).isEqualTo(2);
  }

  @Test
  void anIdOfAHoldIsNoRepeatOfATransfer() {
    UUID hold = UUID.randomUUID();
    assertThat(ledger.post(Stage.pending(hold, "a", "b", 5)).status()).isEqualTo(CREATED);
    assertThat(ledger.post(request).status()).isEqualTo(EXISTS);
    assertThat(ledger.post(Stage.direct(hold, "a", "b", 5)).status()).isEqualTo(EXISTS_DIFFERENT);
    assertThat(ledger.post(Stage.pending(hold, "a", "b", 5)).status()).isEqualTo(EXISTS);
  }
}
