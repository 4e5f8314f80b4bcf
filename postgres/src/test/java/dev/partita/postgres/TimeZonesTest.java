package dev.partita.postgres;

import static dev.partita.TransferStatus.EXISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import dev.partita.testkit.ManualClock;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Instants are instants: in whatever time zones the program and the session of the database are,
 * they are stored, found and read back to the microsecond, also in the hours that a zone has twice
 * or not at all.
 */
class TimeZonesTest {

  private static final List<Instant> INSTANTS =
      List.of(
          Instant.parse("0001-01-01T00:00:00Z"),
          // Local mean time in Kathmandu was +05:41:16, in St. John's -03:30:52.
          Instant.parse("1899-12-31T23:59:59.999999Z"),
          Instant.parse("1969-12-31T23:59:59.999999Z"),
          Instant.EPOCH,
          // Kathmandu left +05:30 for +05:45: fifteen minutes that never were.
          Instant.parse("1985-12-31T18:29:59.999999Z"),
          Instant.parse("1985-12-31T18:30:00Z"),
          // St. John's: the hour that is left out in spring, and the one that comes twice in
          // autumn.
          Instant.parse("2026-03-08T05:29:59.999999Z"),
          Instant.parse("2026-03-08T05:30:00Z"),
          Instant.parse("2026-11-01T03:30:00Z"),
          Instant.parse("2026-11-01T04:29:59.999999Z"),
          Instant.parse("2026-11-01T04:30:00Z"),
          Instant.parse("2026-11-01T05:29:59.999999Z"),
          Instant.parse("9999-12-31T23:59:59.999999Z"));

  private TimeZone before;
  private Stage stage;

  @BeforeEach
  void open() {
    before = TimeZone.getDefault();
    stage = new Stage();
  }

  @AfterEach
  void close() throws SQLException {
    TimeZone.setDefault(before);
    stage.reconcile();
    stage.close();
  }

  @ParameterizedTest
  @CsvSource({
    "Asia/Kathmandu, America/St_Johns",
    "America/St_Johns, Asia/Kathmandu",
    "UTC, America/St_Johns",
    "Asia/Kathmandu, UTC"
  })
  void changeNoInstant(String program, String session) throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(program));
    ManualClock clock = new ManualClock(Instant.EPOCH);
    PostgresLedger ledger = stage.node(stage.pool(program), stage.config().timeSource(clock));
    Stage.open(ledger, "a", "b");
    List<TransferRequest> requests = new ArrayList<>();
    List<Transfer> recorded = new ArrayList<>();
    for (Instant instant : INSTANTS) {
      TransferRequest request = Stage.direct("a", "b", 1).effectiveAt(instant);
      requests.add(request);
      if (!instant.isBefore(Instant.EPOCH)) {
        clock.set(instant);
      }
      recorded.add(ledger.post(request).orThrow());
      // The same in a session that the caller has put into another zone.
      TransferRequest inside = Stage.direct("a", "b", 1).effectiveAt(instant);
      requests.add(inside);
      recorded.add(inside(ledger, inside, session));
    }
    // The zone of who reads is another one than that of who wrote.
    TimeZone.setDefault(TimeZone.getTimeZone(session));
    PostgresLedger reader = stage.node(stage.pool(session), stage.config().timeSource(clock));

    assertThat(reader.transfers(recorded.stream().map(Transfer::id).toList()))
        .isEqualTo(recorded)
        .extracting(Transfer::request)
        .isEqualTo(requests);
    for (int i = 0; i < recorded.size(); i++) {
      Transfer transfer = recorded.get(i);
      Instant instant = INSTANTS.get(i / 2);
      assertThat(transfer.countsAt()).isEqualTo(instant);
      assertThat(transfer.recordedAt())
          .isEqualTo(instant.isBefore(Instant.EPOCH) ? Instant.EPOCH : instant);
      assertThat(reader.balanceAsEffective(AccountId.of("a"), instant).debits().toBigInteger())
          .isEqualTo(BigInteger.valueOf(2L * (i / 2) + 2));
      assertThat(
              reader
                  .find(TransferQuery.between(transfer.recordedAt(), transfer.recordedAt(), 100))
                  .items())
          .contains(transfer);
      assertThat(reader.post(requests.get(i)).status()).isEqualTo(EXISTS);
    }
  }

  private static Transfer inside(PostgresLedger ledger, TransferRequest request, String zone)
      throws SQLException {
    try (Connection connection = Stage.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL timezone = '" + zone + "'");
      Transfer transfer = ledger.inTransaction(connection).post(request).orThrow();
      connection.commit();
      return transfer;
    }
  }
}
