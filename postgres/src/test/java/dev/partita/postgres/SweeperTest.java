package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.PENDING_EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.ChangeRequest;
import dev.partita.Ids;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Due holds expire by themselves while a node runs. */
class SweeperTest {

  private Stage stage;
  private FaultyDataSource faults;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    faults = new FaultyDataSource(TestServer.application("sweeping"));
    ledger = stage.node(faults.dataSource(), sweeping());
    Stage.open(ledger, "world", "shop", "locked", "fees");
  }

  private PostgresConfig.Builder sweeping() {
    return stage.config().sweepInterval(Duration.ofMillis(400));
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  /** The bound is for a machine that does nothing else: the wait here may be longer. */
  @Test
  void recordsTheExpirySoonAfterTheDeadline() {
    UUID hold = hold("world", "shop");
    awaitExpiries(1);
    Transfer expiry = expiryOf(hold);
    Transfer pending = ledger.transfers(List.of(hold)).getFirst();
    assertThat(expiry.recordedAt()).isAfterOrEqualTo(pending.deadline());
    assertThat(Duration.between(pending.deadline(), expiry.recordedAt()))
        .isLessThan(Duration.ofSeconds(busy() ? 20 : 1));
    assertThat(ledger.post(TransferRequest.capture(UUID.randomUUID(), hold)).status())
        .isEqualTo(PENDING_EXPIRED);
  }

  /** Whether the machine has more to do than it can: then only the order of things is checked. */
  private static boolean busy() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    return system.getSystemLoadAverage() > system.getAvailableProcessors();
  }

  @Test
  void twoNodesRecordOneExpiry() {
    stage.node(TestServer.application(), sweeping());
    List<UUID> holds = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      holds.add(hold("world", i % 2 == 0 ? "shop" : "fees"));
    }
    awaitExpiries(50);
    assertThat(holds).allSatisfy(hold -> assertThat(expiryOf(hold).amount().low()).isEqualTo(1));
    assertThat(stage.transfers()).isEqualTo(100);
    assertThat(stage.number("SELECT count(*) FROM %s.hold")).isZero();
  }

  @Test
  void expiresOnAClosedAccount() {
    UUID hold = hold("world", "shop");
    ledger.change(ChangeRequest.of(AccountId.of("shop")).close());
    awaitExpiries(1);
    assertThat(expiryOf(hold).kind()).isEqualTo(TransferKind.EXPIRY);
  }

  /** A hold whose accounts somebody keeps locked does not keep the others from expiring. */
  @Test
  void expiresOthersWhileOneIsLocked() throws SQLException {
    try (Connection holder = Stage.begin()) {
      UUID stuck = hold("world", "locked");
      stage.lock(holder, "locked");
      UUID free = hold("fees", "shop");
      awaitExpiries(1);
      expiryOf(free);
      UUID later = hold("fees", "shop");
      awaitExpiries(2);
      expiryOf(later);
      holder.rollback();
      awaitExpiries(3);
      expiryOf(stuck);
    }
  }

  /** Such as those of a transaction that was open for long, or restored ones. */
  @Test
  void findsHoldsThatAreDueForLongWhenTheyAppear() throws SQLException {
    hold("world", "shop");
    awaitExpiries(1);
    TransferRequest late = Stage.pending(UUID.randomUUID(), "world", "shop", 1).timeoutSeconds(1);
    try (Connection connection = Stage.begin()) {
      assertThat(ledger.inTransaction(connection).post(late).status()).isEqualTo(CREATED);
      hold("fees", "locked");
      awaitExpiries(2);
      connection.commit();
    }
    awaitExpiries(3);
    expiryOf(late.id());
  }

  @Test
  void goesOnAfterAnOutage() throws SQLException {
    UUID hold = hold("world", "shop");
    faults.refuse(true);
    stage.terminate("sweeping");
    Stage.until(
        () -> stage.number("SELECT count(*) FROM %s.hold WHERE deadline < clock_timestamp()") == 1);
    assertThat(expiries()).isZero();
    faults.refuse(false);
    awaitExpiries(1);
    expiryOf(hold);
    assertThat(ledger.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
  }

  private UUID hold(String debit, String credit) {
    TransferRequest request = Stage.pending(UUID.randomUUID(), debit, credit, 1).timeoutSeconds(1);
    assertThat(ledger.post(request).status()).isEqualTo(CREATED);
    return request.id();
  }

  private void awaitExpiries(int count) {
    Stage.until(() -> expiries() >= count);
    assertThat(expiries()).isEqualTo(count);
  }

  private long expiries() {
    return stage.number("SELECT count(*) FROM %s.transfer WHERE kind = 4");
  }

  private Transfer expiryOf(UUID hold) {
    List<Transfer> found = ledger.transfers(List.of(Ids.expiryOf(hold)));
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
