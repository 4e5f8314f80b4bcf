package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections and servers that end while callers post. */
class LaneTest {

  private static final int CALLERS = 32;

  /** What callers were told, while something went wrong. */
  private static final class Load {
    private final PostgresLedger ledger;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong acknowledged = new AtomicLong();
    private final ConcurrentLinkedQueue<TransferRequest> created = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<TransferRequest> notPosted = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<TransferRequest> unknown = new ConcurrentLinkedQueue<>();
    private final List<Future<Void>> callers = new ArrayList<>();

    Load(PostgresLedger ledger) {
      this.ledger = ledger;
    }

    void start(ExecutorService threads) {
      for (int i = 0; i < CALLERS; i++) {
        String debit = "a:" + i % 8;
        callers.add(
            threads.submit(
                () -> {
                  while (!over.get()) {
                    post(Stage.direct(debit, "hot", 1));
                  }
                  return null;
                }));
      }
    }

    private void post(TransferRequest request) {
      try {
        TransferStatus status = ledger.post(request).status();
        assertThat(status).isEqualTo(CREATED);
        created.add(request);
        acknowledged.incrementAndGet();
      } catch (UnavailableException e) {
        (e.outcome() == Outcome.UNKNOWN ? unknown : notPosted).add(request);
      }
    }

    /** Waits until so many more are acknowledged. */
    void awaitProgress(int more) {
      long from = acknowledged.get();
      Stage.until(() -> acknowledged.get() >= from + more);
    }

    void end() throws Exception {
      over.set(true);
      for (Future<Void> caller : callers) {
        caller.get(2, TimeUnit.MINUTES);
      }
    }

    /** Compares what callers were told with what is stored, then asks about the unknown. */
    void compare(DataSource owner, String schema) throws SQLException {
      List<UUID> ids = ids(created);
      assertThat(stored(owner, schema, ids)).as("acknowledged and lost").isEqualTo(ids.size());
      assertThat(stored(owner, schema, ids(notPosted))).as("denied and recorded").isZero();
      long doubtful = stored(owner, schema, ids(unknown));
      assertThat(all(owner, schema)).isEqualTo(ids.size() + doubtful);
      for (TransferRequest request : unknown) {
        assertThat(ledger.post(request).status()).isIn(CREATED, EXISTS);
      }
      for (TransferRequest request : created.stream().limit(200).toList()) {
        assertThat(ledger.post(PostRequest.of(request)).transfers())
            .extracting(TransferResult::status)
            .containsExactly(EXISTS);
      }
      assertThat(Reconciliation.of(owner, schema)).isEmpty();
    }

    private static List<UUID> ids(ConcurrentLinkedQueue<TransferRequest> requests) {
      return requests.stream().map(TransferRequest::id).toList();
    }

    private static long stored(DataSource owner, String schema, List<UUID> ids)
        throws SQLException {
      try (Connection connection = owner.getConnection();
          PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT count(*) FROM " + schema + ".transfer WHERE id = ANY(?)")) {
        statement.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getLong(1);
        }
      }
    }

    private static long all(DataSource owner, String schema) throws SQLException {
      try (Connection connection = owner.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT count(*) FROM " + schema + ".transfer")) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** An administrator ends the lane's session at random moments, for about five seconds. */
  @Test
  void everyTransferIsRecordedOnceWhileSessionsAreEnded() throws Exception {
    Random random = Seeds.random();
    CountDownLatch never = new CountDownLatch(1);
    try (Stage stage = new Stage();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      PostgresLedger ledger = stage.node(TestServer.application("ledger"), stage.config());
      openAccounts(ledger);
      Load load = new Load(ledger);
      load.start(threads);
      long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
      int ended = 0;
      while (System.nanoTime() < until) {
        load.awaitProgress(1 + random.nextInt(500));
        // Somewhere within a batch, not always right after an answer.
        assertThat(never.await(random.nextInt(5_000), TimeUnit.MICROSECONDS)).isFalse();
        stage.terminate("ledger");
        ended++;
      }
      load.awaitProgress(100);
      load.end();
      assertThat(ended).isGreaterThan(3);
      assertThat(load.unknown).as("patience is longer than any reconnect").isEmpty();
      assertThat(load.notPosted).isEmpty();
      load.compare(TestServer.owner(), stage.schema());
    }
  }

  /** The server is stopped in good order, then killed, and each time started on the same port. */
  @Test
  void everyTransferIsRecordedOnceWhileTheServerRestarts(@TempDir Path directory) throws Exception {
    EmbeddedPostgres first = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory));
    AtomicReference<EmbeddedPostgres> server = new AtomicReference<>(first);
    EmbeddedPostgresConfig same =
        EmbeddedPostgresConfig.builder(directory).port(first.port()).build();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      DataSource owner = dataSource(first.owner());
      PostgresSchema schema = new PostgresSchema(owner, "ledger");
      schema.migrate();
      schema.grant(first.application().user());
      PostgresConfig.Builder config =
          PostgresConfig.builder()
              .schema("ledger")
              .sweepInterval(null)
              .patience(Duration.ofMinutes(3));
      try (PostgresLedger ledger =
          PostgresLedger.open(dataSource(first.application()), config.build())) {
        openAccounts(ledger);
        Load load = new Load(ledger);
        load.start(threads);
        load.awaitProgress(300);
        first.close();
        server.set(EmbeddedPostgres.start(same));
        load.awaitProgress(300);
        ProcessHandle.of(server.get().pid()).orElseThrow().destroyForcibly();
        Stage.until(() -> !server.get().isRunning());
        server.get().close();
        server.set(EmbeddedPostgres.start(same));
        load.awaitProgress(300);
        load.end();
        assertThat(load.unknown).as("patience is longer than any restart").isEmpty();
        assertThat(load.notPosted).isEmpty();
        load.compare(owner, "ledger");
      }
    } finally {
      server.get().close();
    }
  }

  private static void openAccounts(PostgresLedger ledger) {
    Stage.open(ledger, "hot", "a:0", "a:1", "a:2", "a:3", "a:4", "a:5", "a:6", "a:7");
  }

  private static DataSource dataSource(Login login) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(login.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(login.password());
    return source;
  }
}
