package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server waits for a standby that is not there, and an administrator cancels the wait: the
 * commit is done, on this server only, and says so in a warning. Nobody may take that for an
 * answer.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the server is told to read its settings again")
class StandbyTest {

  private static final String SETTING = "synchronous_standby_names = 'nobody'\n";

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    assumeThat(TestServer.server()).as("a server whose settings may be changed").isPresent();
    stage = new Stage();
    ledger = stage.node(TestServer.application("ledger"), stage.config());
    Stage.open(ledger, "world", "shop");
  }

  @AfterEach
  void close() throws Exception {
    if (stage == null) {
      return;
    }
    requireStandby(false);
    stage.reconcile();
    stage.close();
  }

  @Test
  void aTransferWhoseCommitOnlyWarnedIsAnsweredAfterALaterCommit() throws Exception {
    TransferRequest request = Stage.direct("world", "shop", 1);
    requireStandby(true);
    CompletableFuture<PostResult> answer = ledger.submit(PostRequest.of(request));
    long lane = stage.awaitStandbyWait("ledger");
    assertThat(stage.stored(request.id())).isZero();
    stage.cancel(lane);
    Stage.until(() -> stage.stored(request.id()) == 1);
    // The lane connects again, and its barrier waits for the standby in turn.
    Stage.until(() -> stage.awaitStandbyWait("ledger") != lane);
    assertThat(answer).isNotDone();
    requireStandby(false);
    assertThat(status(answer)).isEqualTo(CREATED);
    assertThat(stage.transfers()).isEqualTo(1);
  }

  /** What the cancelled session has left is visible to sessions that were there before it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherNodeAnswersNothingFromWhatOnlyThisServerHas(boolean repeatsBefore) throws Exception {
    Stage.open(ledger, Limits.NOT_NEGATIVE, "till");
    PostgresLedger other = stage.node(TestServer.application("other"), stage.config());
    TransferRequest first = Stage.direct("world", "till", 1);
    TransferRequest tooMuch = Stage.direct("till", "shop", 2);
    assertThat(other.post(first).status()).isEqualTo(CREATED);
    if (repeatsBefore) {
      assertThat(other.post(first).status()).isEqualTo(EXISTS);
    }
    TransferRequest spent = Stage.direct("till", "shop", 1);
    requireStandby(true);
    CompletableFuture<PostResult> answer = ledger.submit(PostRequest.of(spent));
    stage.cancel(stage.awaitStandbyWait("ledger"));
    Stage.until(() -> stage.stored(spent.id()) == 1);
    CompletableFuture<PostResult> replay = other.submit(PostRequest.of(spent));
    Stage.until(() -> replay.isDone() || stage.waitingForStandby("other") != 0);
    assertThat(replay).as("a replay").isNotDone();
    // The next round trip of the same lane: what is refused, is refused on the same data.
    CompletableFuture<PostResult> refusal = other.submit(PostRequest.of(tooMuch));
    long waiting = stage.awaitStandbyWait("other");
    stage.cancel(waiting);
    // It connects again, and cannot pass the barrier: the other node's lane waits in it already.
    Stage.until(() -> stage.waitingForStandby("other") != waiting);
    assertThat(replay).isNotDone();
    assertThat(refusal).isNotDone();
    requireStandby(false);
    assertThat(status(answer)).isEqualTo(CREATED);
    assertThat(status(replay)).isEqualTo(EXISTS);
    assertThat(status(refusal)).isEqualTo(INSUFFICIENT_FUNDS);
  }

  private static TransferStatus status(Future<PostResult> answer) throws Exception {
    return answer.get(1, TimeUnit.MINUTES).transfers().getFirst().status();
  }

  @Test
  void anAccountWhoseCommitOnlyWarnedIsNotOpenForSure() throws Exception {
    List<NewAccount> young = List.of(NewAccount.of("young", "EUR"));
    requireStandby(true);
    Future<List<OpenResult>> answer = stage.start(() -> ledger.open(young));
    stage.cancel(stage.awaitStandbyWait("ledger"));
    assertThatThrownBy(() -> answer.get(1, TimeUnit.MINUTES))
        .cause()
        .isInstanceOfSatisfying(
            UnavailableException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
    Future<List<OpenResult>> again = stage.start(() -> ledger.open(young));
    stage.awaitStandbyWait("ledger");
    assertThat(again).as("it is there, but on this server only").isNotDone();
    requireStandby(false);
    assertThat(again.get(1, TimeUnit.MINUTES))
        .extracting(OpenResult::status)
        .containsExactly(OpenResult.Status.EXISTS);
  }

  @Test
  void warnsWhereItsCommitsDoNotWaitForStandbysThatOthersWaitFor() throws Exception {
    assertThat(ledger.warnings()).isEmpty();
    requireStandby(true);
    PostgresLedger hasty =
        stage.node(TestServer.application("hasty"), stage.config().synchronousCommit("local"));
    assertThat(hasty.warnings())
        .containsExactly(
            "synchronousCommit is local: it waits for no standby, and a failover can"
                + " lose acknowledged transfers");
  }

  private void requireStandby(boolean required) throws Exception {
    Path settings = server().dataDirectory().resolve("postgresql.auto.conf");
    String others = Files.readString(settings).replace(SETTING, "");
    Files.writeString(settings, required ? others + SETTING : others);
    reload();
    Stage.until(() -> standby().isEmpty() != required);
    if (required) {
      // Sessions see the setting before the server has it in its shared memory.
      Stage.until(this::commitsWait);
    }
  }

  private boolean commitsWait() throws Exception {
    Future<Boolean> probe = stage.start(StandbyTest::commit);
    Stage.until(() -> probe.isDone() || stage.waitingForStandby("probe") != 0);
    long waiting = stage.waitingForStandby("probe");
    if (waiting != 0) {
      stage.cancel(waiting);
    }
    probe.get(1, TimeUnit.MINUTES);
    return waiting != 0;
  }

  private static boolean commit() throws SQLException {
    try (Connection connection = TestServer.application("probe").getConnection();
        Statement statement = connection.createStatement()) {
      return statement.execute("SELECT pg_logical_emit_message(true, 'probe', '')");
    }
  }

  private static EmbeddedPostgres server() {
    return TestServer.server().orElseThrow();
  }

  private static void reload() throws IOException, InterruptedException {
    String pid = Long.toString(server().pid());
    assertThat(new ProcessBuilder("kill", "-HUP", pid).inheritIO().start().waitFor()).isZero();
  }

  private static String standby() throws SQLException {
    try (Connection connection = TestServer.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW synchronous_standby_names")) {
      row.next();
      return row.getString(1);
    }
  }
}
