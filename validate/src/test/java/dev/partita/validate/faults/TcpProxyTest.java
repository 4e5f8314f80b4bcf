package dev.partita.validate.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.ScratchDirectory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** In front of a real server, with statements as the ledger's lanes send them. */
class TcpProxyTest {

  private static ScratchDirectory directory;
  private static EmbeddedPostgres server;

  private TcpProxy proxy;
  private Connection direct;

  @BeforeAll
  static void start() throws Exception {
    directory = ScratchDirectory.make();
    server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory.path().resolve("server")));
    try (Connection owner = server.owner().connect();
        Statement statement = owner.createStatement()) {
      statement.execute("CREATE SCHEMA test; CREATE TABLE test.stored (number int PRIMARY KEY)");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    directory.close();
  }

  @BeforeEach
  void open() throws Exception {
    direct = server.owner().connect();
    try (Statement statement = direct.createStatement()) {
      statement.execute("DELETE FROM test.stored");
    }
    proxy = TcpProxy.before(List.of(upstream()), new SplittableRandom(1));
  }

  @AfterEach
  void close() throws SQLException {
    proxy.close();
    direct.close();
  }

  @Test
  void forwardsWhatIsSaidBothWays() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement("SELECT n, ? FROM generate_series(1, 200) n")) {
      String large = "x".repeat(100_000);
      statement.setString(1, large);
      try (ResultSet rows = statement.executeQuery()) {
        for (int i = 1; i <= 200; i++) {
          rows.next();
          assertThat(rows.getInt(1)).isEqualTo(i);
          assertThat(rows.getString(2)).isEqualTo(large);
        }
      }
    }
    assertThat(proxy.cuts()).isZero();
    assertThat(proxy.accepted()).isEqualTo(1);
  }

  @Test
  void aCutBeforeTheCommitLeavesNothing() throws SQLException {
    try (Connection connection = connect()) {
      store(connection, 1);
      proxy.cut(Cut.BEFORE_COMMIT);
      assertThatThrownBy(() -> store(connection, 2)).isInstanceOf(SQLException.class);
      awaitNoSession();
      assertThat(isStored(1)).isTrue();
      assertThat(isStored(2)).isFalse();
      assertThat(proxy.cuts(Cut.BEFORE_COMMIT)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AT_COMMIT", "ANSWER_LOST", "ANSWER_TORN"})
  void aCutAfterTheCommitLeavesItCommitted(Cut cut) throws SQLException {
    for (int i = 0; i < 30; i += 2) {
      try (Connection connection = connect()) {
        store(connection, i);
        proxy.cut(cut);
        int number = i + 1;
        assertThatThrownBy(() -> store(connection, number))
            .isInstanceOf(SQLException.class)
            .extracting(failure -> ((SQLException) failure).getSQLState())
            .isEqualTo("08006");
        awaitNoSession();
        assertThat(isStored(number)).isTrue();
      }
    }
    assertThat(proxy.cuts(cut)).isEqualTo(15);
    assertThat(proxy.cuts()).isEqualTo(15);
  }

  @Test
  void aCommitIsFoundHoweverItIsSent() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO test.stored VALUES (1)");
      proxy.cut(Cut.ANSWER_LOST);
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      connection.unwrap(PGConnection.class).setPrepareThreshold(-1);
      proxy.cut(Cut.ANSWER_LOST);
      assertThatThrownBy(() -> statement.execute("BEGIN;INSERT INTO test.stored VALUES (2);COMMIT"))
          .isInstanceOf(SQLException.class);
    }
    awaitNoSession();
    assertThat(isStored(1)).isTrue();
    assertThat(isStored(2)).isTrue();
  }

  @Test
  void aRollbackAndACommitThatFailsAreNone() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      store(connection, 1);
      proxy.cut(Cut.ANSWER_LOST);
      connection.setAutoCommit(false);
      statement.execute("SET synchronous_commit = on");
      statement.execute("INSERT INTO test.stored VALUES (2)");
      connection.rollback();
      connection.setAutoCommit(true);
      assertThatThrownBy(() -> store(connection, 1)).hasMessageContaining("stored_pkey");
      statement.execute("ROLLBACK");
      assertThat(proxy.cuts()).isZero();
      store(connection, 3);
      assertThat(isStored(3)).isTrue();
    }
  }

  @Test
  void aPlanIsForOneConnectionAndCanBeForgotten() throws SQLException {
    try (Connection connection = connect()) {
      proxy.cut(Cut.BEFORE_COMMIT);
      proxy.cut(Cut.ANSWER_LOST);
      assertThatThrownBy(() -> store(connection, 1)).isInstanceOf(SQLException.class);
    }
    try (Connection connection = connect()) {
      store(connection, 2);
      proxy.cut(Cut.BEFORE_COMMIT);
      proxy.forgetPlan();
      store(connection, 3);
    }
    assertThat(proxy.cuts(Cut.BEFORE_COMMIT)).isEqualTo(1);
    assertThat(proxy.cuts()).isEqualTo(1);
  }

  @Test
  void cutsAtOnce() throws SQLException {
    try (Connection one = connect();
        Connection two = connect()) {
      proxy.cut(Cut.ANYWHERE);
      assertThat(List.of(answers(one), answers(two))).containsExactlyInAnyOrder(true, false);
      proxy.cutAll();
      assertThat(answers(one)).isFalse();
      assertThat(answers(two)).isFalse();
    }
    assertThat(proxy.cuts(Cut.ANYWHERE)).isEqualTo(2);
  }

  @Test
  void delaysEachRoundTripBothWays() throws SQLException {
    try (Connection connection = connect()) {
      proxy.delay(Duration.ofMillis(70), Duration.ofMillis(50));
      long begun = System.nanoTime();
      assertThat(answers(connection)).isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(119));
    }
  }

  /** What was sent before the client gave up arrives all the same, as in any network. */
  @Test
  void aStallHoldsBackWhatWasSentUntilItEnds() throws SQLException {
    try (Connection connection = connect()) {
      store(connection, 1);
      connection.setNetworkTimeout(Runnable::run, 300);
      proxy.stall();
      assertThatThrownBy(() -> store(connection, 2)).hasMessageContaining("I/O error");
      assertThat(isStored(2)).isFalse();
      proxy.resume();
      await().until(() -> isStored(2));
    }
    try (Connection connection = connect()) {
      store(connection, 3);
    }
  }

  @Test
  void refusesNewConnectionsAndLeavesThoseThereAre() throws SQLException {
    try (Connection connection = connect()) {
      proxy.refuse(true);
      assertThatThrownBy(this::connect).isInstanceOf(SQLException.class);
      store(connection, 1);
      proxy.refuse(false);
      connect().close();
    }
    assertThat(proxy.refused()).isPositive();
  }

  private static InetSocketAddress upstream() {
    return InetSocketAddress.createUnresolved("127.0.0.1", server.port());
  }

  private Connection connect() throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.jdbcUrl());
    source.setUser(server.owner().user());
    source.setPassword(server.owner().password());
    InetSocketAddress address = proxy.addresses().getFirst();
    source.setServerNames(new String[] {address.getHostString()});
    source.setPortNumbers(new int[] {address.getPort()});
    source.setApplicationName("proxied");
    Connection connection = source.getConnection();
    connection.unwrap(PGConnection.class).setPrepareThreshold(1);
    return connection;
  }

  /** As a lane does: everything prepared on the server, and in one pipeline. */
  private static void store(Connection connection, int number) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("BEGIN;\nINSERT INTO test.stored VALUES (?);\nCOMMIT")) {
      statement.setInt(1, number);
      statement.execute();
    }
  }

  private static boolean answers(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("SELECT 1");
    } catch (SQLException e) {
      return false;
    }
  }

  private boolean isStored(int number) throws SQLException {
    return number("SELECT count(*) FROM test.stored WHERE number = " + number) == 1;
  }

  private void awaitNoSession() {
    await()
        .until(
            () ->
                number("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'proxied'")
                    == 0);
  }

  private long number(String query) throws SQLException {
    try (Statement statement = direct.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
