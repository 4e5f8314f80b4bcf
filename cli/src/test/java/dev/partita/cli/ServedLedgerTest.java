package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.cli.connect.LedgerSession;
import dev.partita.cli.connect.PostgresSource;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.connect.SchemaSession;
import dev.partita.cli.connect.Target;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.server.PartitaServer;
import dev.partita.server.ServerConfig;
import dev.partita.server.ServerOperations;
import dev.partita.server.log.AccessLog;
import dev.partita.server.metrics.Meters;
import java.io.IOException;
import java.io.Writer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A served ledger in PostgreSQL as its operators see it, while the database comes and goes. */
class ServedLedgerTest {

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern NAME = Pattern.compile("`([a-z0-9_]+)`");

  @TempDir(factory = RealDatabaseTest.OpenDirectory.class)
  private Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private final PostgresSource source = new PostgresSource(opened -> {});
  private EmbeddedPostgres database;
  private LedgerSession session;
  private PartitaServer server;

  @BeforeEach
  void start() {
    database = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory.resolve("data")));
    try (SchemaSession schema = source.openSchema(target(database.owner()), Purpose.CREATE)) {
      schema.migrate();
      schema.grant(database.application().user());
    }
    session = source.open(target(database.application()), Purpose.WRITE);
    Meters meters = new Meters();
    server =
        PartitaServer.start(
            session.ledger(),
            ServerConfig.DEFAULT.port(0),
            new ServerOperations(
                meters,
                session.watch(meters),
                AccessLog.start(AccessLog.Format.TEXT, Writer.nullWriter(), 100)));
  }

  private Target target(Login login) {
    return new Target(
        login.jdbcUrl(), login.user(), login.password(), directory.resolve("none"), "partita");
  }

  @AfterEach
  void stop() {
    server.close();
    session.close();
    database.close();
    client.close();
  }

  @Test
  void showsWhatWasDoneAndExactlyWhatIsDocumented() {
    givenAccounts();
    List<TransferRequest> created = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      created.add(transfer("world", "shop"));
    }
    Ledger ledger = session.ledger();
    ledger.post(new PostRequest(List.copyOf(created)));
    ledger.post(new PostRequest(List.copyOf(created.subList(0, 3))));
    ledger.post(transfer("poor", "shop"));
    ledger.post(transfer("poor", "shop"));
    get("/v1/assets");
    String text = scrape();
    assertThat(text.lines())
        .contains(
            "partita_transfers_total{status=\"CREATED\"} 10.0",
            "partita_transfers_total{status=\"EXISTS\"} 3.0",
            "partita_transfers_total{status=\"INSUFFICIENT_FUNDS\"} 2.0",
            "partita_transfers_total{status=\"GROUP_FAILED\"} 0.0",
            "partita_batch_transfers_count 4",
            "partita_batch_transfers_sum 15.0",
            "partita_queue_transfers 0.0",
            "partita_lanes{state=\"connected\"} 1.0",
            "partita_lanes{state=\"stopped\"} 0.0",
            "partita_database_up 1.0",
            "partita_holds_oldest_overdue_seconds 0.0",
            "partita_database_clock_behind_seconds 0.0",
            "partita_pool_connections_max 10.0");
    assertThat(text).contains("partita_database_oldest_snapshot_seconds ");

    Set<String> shown = shown(text);
    assertThat(documented(line -> true)).containsAll(shown);
    Set<String> always = documented(line -> !line.contains("absent before the first"));
    assertThat(shown).containsAll(always);
  }

  @Test
  void isReadyAgainByItselfOnceTheDatabaseIsBack() {
    givenAccounts();
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    int port = database.port();
    database.close();
    until(() -> get("/health/ready").statusCode() == 503);
    assertThat(get("/health/ready").body())
        .containsPattern("\"cause\":\"(database_unavailable|no_answer)\"")
        .doesNotContain(Integer.toString(port));
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    until(() -> scrape().contains("partita_database_up 0.0"));
    assertThat(scrape())
        .doesNotContain("partita_database_oldest_snapshot_seconds", "partita_holds_oldest")
        .contains("partita_queue_transfers 0.0");

    database =
        EmbeddedPostgres.start(
            EmbeddedPostgresConfig.builder(directory.resolve("data")).port(port).build());
    until(() -> get("/health/ready").statusCode() == 200);
    assertThat(session.ledger().post(transfer("world", "shop")).status())
        .isEqualTo(TransferStatus.CREATED);
    until(() -> scrape().contains("partita_database_up 1.0"));
    assertThat(scrape()).contains("partita_lane_reconnects_total 1.0");
  }

  @Test
  void isNotReadyWhileTheDatabaseIsReadOnly() throws Exception {
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    administer("ALTER SYSTEM SET default_transaction_read_only = on");
    until(() -> get("/health/ready").body().contains("\"cause\":\"database_read_only\""));
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    administer("ALTER SYSTEM RESET default_transaction_read_only");
    until(() -> get("/health/ready").statusCode() == 200);
  }

  private void administer(String sql) throws Exception {
    Login login = database.superuser();
    try (Connection connection =
            DriverManager.getConnection(login.jdbcUrl(), login.user(), login.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      statement.execute("SELECT pg_reload_conf()");
    }
  }

  /** Names of the metrics, without what belongs to a histogram. */
  private static Set<String> shown(String text) {
    Set<String> names = new TreeSet<>();
    Set<String> distributions = new TreeSet<>();
    Matcher type = TYPE.matcher(text);
    while (type.find()) {
      names.add(type.group(1));
      if (type.group(2).equals("histogram") || type.group(2).equals("summary")) {
        distributions.add(type.group(1));
      }
    }
    return names.stream()
        .filter(
            name ->
                !name.endsWith("_max")
                    || !distributions.contains(name.substring(0, name.length() - 4)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names in the first columns of the page's tables. */
  private static Set<String> documented(Predicate<String> rows) {
    Set<String> names = new TreeSet<>();
    for (String line : lines(Path.of("..", "docs", "metrics.md"))) {
      if (line.startsWith("| `") && rows.test(line)) {
        Matcher name = NAME.matcher(line.split("\\|", -1)[1]);
        while (name.find()) {
          names.add(name.group(1));
        }
      }
    }
    return names;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  private void givenAccounts() {
    session.ledger().register(List.of(Asset.iso("EUR")));
    session
        .ledger()
        .open(
            List.of(
                NewAccount.of("world", "EUR"),
                NewAccount.of("shop", "EUR"),
                NewAccount.of("poor", "EUR").limits(Limits.NOT_NEGATIVE)));
  }

  private static TransferRequest transfer(String debit, String credit) {
    return TransferRequest.direct(
        UUID.randomUUID(),
        new AssetCode("EUR"),
        AccountId.of(debit),
        AccountId.of(credit),
        Amount.ofMinor(1));
  }

  private String scrape() {
    HttpResponse<String> response = get("/metrics");
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private HttpResponse<String> get(String path) {
    try {
      return client.send(
          HttpRequest.newBuilder(server.uri().resolve(path)).timeout(DEADLINE).build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(path, e);
    }
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(DEADLINE).pollInterval(Duration.ofMillis(50)).until(condition);
  }
}
