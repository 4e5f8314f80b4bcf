package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.embedded.Login;
import dev.partita.lab.server.LabServer.Running;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;

/** The server's books say what was done, as a role sees them that owns one schema. */
@ExtendWith(LabServer.class)
@Timeout(60)
class ServerAccountTest {

  private final Running server;
  private String schema = "";

  ServerAccountTest(Running server) {
    this.server = server;
  }

  @BeforeEach
  void makeTable() throws SQLException {
    schema = server.schema();
    Running.execute(
        server.owner(),
        "CREATE TABLE %s.t (id int PRIMARY KEY, plain int, keyed int) WITH (fillfactor = 50)"
            .formatted(schema),
        "CREATE INDEX ON %s.t (keyed)".formatted(schema));
  }

  private ServerUse use(Login login, String... statements) throws SQLException {
    try (ServerAccount account = ServerAccount.open(login, schema)) {
      ServerSnapshot before = account.before();
      if (statements.length > 0) {
        Running.execute(login, statements);
      }
      return ServerUse.between(before, account.after());
    }
  }

  private String[] times(int count, String statement) {
    return Collections.nCopies(count, statement.formatted(schema)).toArray(new String[0]);
  }

  @Test
  void countsNothingWhenNothingIsDone() throws Exception {
    ServerUse use = use(server.owner());
    assertThat(use.transactions().commits()).isZero();
    assertThat(use.transactions().rollbacks()).isZero();
    assertThat(use.rows().inserted()).isZero();
    assertThat(use.rows().hotShare()).isNull();
    assertThat(use.databaseGrowthBytes()).isZero();
  }

  @Test
  void countsEveryCommitAndRowOnceAndNoneOfItsOwn() throws Exception {
    String insert = "INSERT INTO %s.t SELECT coalesce(max(id), 0) + 1, 0, 0 FROM %1$s.t";
    ServerUse one = use(server.owner(), times(1, insert));
    ServerUse use = use(server.owner(), times(37, insert));
    // What a connection adds by being opened differs between drivers and servers.
    long opening = one.transactions().commits() - 1;
    assertThat(opening).isBetween(0L, 3L);
    assertThat(use.transactions().commits()).isEqualTo(opening + 37);
    assertThat(use.sessions()).isEqualTo(new ServerUse.Sessions(1L, 0L, 0L, 0L));
    assertThat(one.rows().inserted()).isEqualTo(1);
    assertThat(use.rows().inserted()).isEqualTo(37);
    assertThat(use.transactions().rollbacks()).isZero();
    // One connection waits for each of its commits, now and then for a sync by the WAL writer,
    // which may be counted late.
    assertThat(use.wal().syncs()).isGreaterThan(30);
    assertThat(use.transactions().commitsPerSync())
        .isEqualTo((double) (opening + 37) / use.wal().syncs());
    assertThat(use.wal().bytes()).isGreaterThan(37 * 50L);
    assertThat(use.wal().writtenBytes()).isGreaterThanOrEqualTo(use.wal().bytes() / 2);
    assertThat(use.wal().bytesPerSync()).isEqualTo((double) use.wal().bytes() / use.wal().syncs());
  }

  @Test
  void saysWhenASessionMayKeepWhatItHasCounted() throws Exception {
    try (ServerAccount account = ServerAccount.open(server.owner(), schema, Duration.ZERO);
        Connection open = server.owner().connect()) {
      ServerSnapshot before = account.before();
      assertThat(before.notes())
          .singleElement()
          .asString()
          .startsWith("1 sessions had not been idle for long enough");
      assertThat(open.isValid(0)).isTrue();
    }
  }

  @Test
  void countsRollbacks() throws Exception {
    ServerUse use = use(server.owner(), times(5, "BEGIN; SELECT 1; ROLLBACK"));
    assertThat(use.transactions().rollbacks()).isEqualTo(5);
  }

  @Test
  void tellsUpdatesThatTouchNoIndexFromOthers() throws Exception {
    Running.execute(server.owner(), "INSERT INTO %s.t VALUES (1, 0, 0)".formatted(schema));
    String[] hot = times(30, "UPDATE %s.t SET plain = plain + 1");
    String[] cold = times(10, "UPDATE %s.t SET keyed = keyed + 1");
    String[] both = Arrays.copyOf(hot, 40);
    System.arraycopy(cold, 0, both, 30, 10);
    ServerUse use = use(server.owner(), both);
    assertThat(use.rows().updated()).isEqualTo(40);
    assertThat(use.rows().hotUpdated()).isEqualTo(30);
    assertThat(use.rows().hotShare()).isEqualTo(0.75);
    assertThat(use.rows().deadAtEnd()).isPositive();
  }

  @Test
  void countsSessionsThatWereKilled() throws Exception {
    try (ServerAccount account = ServerAccount.open(server.owner(), schema)) {
      ServerSnapshot before = account.before();
      try (Connection victim = server.owner().connect()) {
        int pid = victim.unwrap(PGConnection.class).getBackendPID();
        Running.execute(server.owner(), "SELECT pg_terminate_backend(%d, 10000)".formatted(pid));
      }
      ServerUse use = ServerUse.between(before, account.after());
      assertThat(use.sessions()).isEqualTo(new ServerUse.Sessions(2L, 0L, 0L, 1L));
    }
  }

  @Test
  void countsCheckpointsAsked() throws Exception {
    try (ServerAccount account = ServerAccount.open(server.owner(), schema)) {
      ServerSnapshot before = account.before();
      Running.execute(server.owner(), "CHECKPOINT");
      ServerUse use = ServerUse.between(before, account.after());
      // It says that it is done a moment before it is counted.
      while (use.checkpoints().equals(new ServerUse.Checkpoints(0L, 0L, 0L))) {
        use = ServerUse.between(before, account.after());
      }
      assertThat(use.checkpoints()).isEqualTo(new ServerUse.Checkpoints(0L, 1L, 1L));
    }
  }

  @Test
  void aRoleThatOwnsOnlyItsSchemaSeesEnough() throws Exception {
    String role = Running.name("plain");
    schema = role;
    Running.execute(
        server.superuser(),
        "CREATE ROLE %s LOGIN PASSWORD 'only a test'".formatted(role),
        "GRANT CONNECT ON DATABASE partita TO " + role,
        "CREATE SCHEMA %s AUTHORIZATION %1$s".formatted(role));
    Login login = new Login(server.owner().jdbcUrl(), role, "only a test");
    Running.execute(login, "CREATE TABLE %s.t (id int)".formatted(role));
    ServerUse use = use(login, "INSERT INTO %s.t VALUES (1), (2)".formatted(role));
    assertThat(use.rows().inserted()).isEqualTo(2);
    assertThat(use.transactions().commits()).isBetween(1L, 4L);
    assertThat(use.wal().syncs()).isPositive();
    assertThat(use.checkpoints().requested()).isNotNull();
    assertThat(use.databaseGrowthBytes()).isNotNull();
    assertThat(use.notes()).isEmpty();
    try (ServerAccount account = ServerAccount.open(login, role)) {
      StoredBytes stored = account.stored(role + ".t");
      assertThat(stored.bytes()).isPositive();
      assertThat(stored.notes())
          .singleElement()
          .asString()
          .startsWith("sizes without a checkpoint");
    }
  }

  @Test
  void saysThatCountersWereResetInsteadOfGivingTheRest() throws Exception {
    try (ServerAccount account = ServerAccount.open(server.owner(), schema)) {
      ServerSnapshot before = account.before();
      Running.execute(server.superuser(), "SELECT pg_stat_reset_shared('wal')");
      Running.execute(server.owner(), "INSERT INTO %s.t VALUES (1, 0, 0)".formatted(schema));
      ServerUse use = ServerUse.between(before, account.after());
      assertThat(use.wal().records()).isNull();
      // Positions in the log cannot be reset.
      assertThat(use.wal().bytes()).isPositive();
      assertThat(use.rows().inserted()).isEqualTo(1);
      assertThat(use.notes()).anyMatch(note -> note.startsWith("wal not measured"));
    }
  }

  @Test
  void measuresWhatStaysWithoutDeadRows() throws Exception {
    Running.execute(
        server.owner(),
        """
        CREATE TABLE %s.parted (id int PRIMARY KEY, long text) PARTITION BY RANGE (id);
        CREATE TABLE %1$s.low PARTITION OF %1$s.parted FOR VALUES FROM (0) TO (1000);
        """
            .formatted(schema));
    String relations = "%s.t, %1$s.parted".formatted(schema);
    try (ServerAccount account = ServerAccount.open(server.owner(), schema)) {
      StoredBytes opening = account.stored(relations);
      ServerSnapshot before = account.before();
      Running.execute(
          server.owner(),
          "INSERT INTO %s.t SELECT i, 0, 0 FROM generate_series(1, 20000) i".formatted(schema),
          "DELETE FROM %s.t WHERE id > 10000".formatted(schema),
          """
          INSERT INTO %s.low SELECT 1, string_agg(md5(i::text), '') FROM generate_series(1, 500) i
          """
              .formatted(schema));
      ServerUse use = ServerUse.between(before, account.after());
      StoredBytes closing = account.stored(relations);
      StoredBytes.Relation plain = closing.relations().getFirst();
      StoredBytes.Relation parted = closing.relations().getLast();
      assertThat(plain.indexBytes()).isPositive();
      assertThat(plain.toastBytes()).isLessThanOrEqualTo(8192);
      assertThat(parted.toastBytes()).isGreaterThanOrEqualTo(16_384);
      BytesPerTransfer each = BytesPerTransfer.of(opening, closing, use, 10_000);
      assertThat(each.stored())
          .isEqualTo((closing.bytes() - opening.bytes()) / 10_000.0)
          .isLessThan(each.databaseGrowth());
      assertThat(each.wal()).isGreaterThan(100.0);
      assertThat(each.storedByRelation()).containsOnlyKeys(schema + ".t", schema + ".parted");
    }
  }

  @Test
  void vacuumsNothingOutsideItsSchema() throws Exception {
    String other = server.schema();
    Running.execute(server.owner(), "CREATE TABLE %s.t (id int)".formatted(other));
    try (ServerAccount account = ServerAccount.open(server.owner(), schema)) {
      assertThatThrownBy(() -> account.stored(other + ".t"))
          .isInstanceOf(MisuseException.class)
          .hasMessageContaining("is not a table of schema " + schema);
      assertThatThrownBy(() -> account.stored(schema + ".missing"))
          .isInstanceOf(MisuseException.class);
    }
  }
}
