package dev.partita.validate.faults;

import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.postgres.PostgresSchema;
import dev.partita.validate.Database;
import dev.partita.validate.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Three embedded servers with a fresh ledger schema: a primary and two standbys. Whichever is the
 * primary waits at every commit for one of the other two; the setting is the same on all of them
 * and never changed. Who is the primary is decided here, and nowhere else. For one thread, but for
 * the data sources.
 */
public final class Trio implements AutoCloseable {

  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int CONNECT_SECONDS = 2;

  /** For answers of a server that hangs; a lane sets its own after it has connected. */
  private static final int ANSWER_SECONDS = 10;

  /** Below those that systems give to outgoing connections: a killed server's port stays free. */
  private static final int PORT_MIN = 20_000;

  private static final int PORTS_EACH = 4_000;

  private final Run run;
  private final ScratchDirectory directory;
  private final List<Node> nodes = new ArrayList<>();
  private final Thread exitHook = new Thread(() -> nodes.forEach(Node::killForSure));
  private Node primary;

  private Trio(Run run, ScratchDirectory directory, boolean synchronous) throws IOException {
    this.run = run;
    this.directory = directory;
    SplittableRandom random = new SplittableRandom();
    for (String name : NAMES) {
      EmbeddedPostgresConfig.Builder config =
          EmbeddedPostgresConfig.builder(directory.path().resolve(name))
              .port(freePort(random, nodes.size()))
              .stopOnJvmExit(false);
      settings(synchronous).forEach(config::setting);
      nodes.add(new Node(name, config.build()));
    }
    primary = nodes.getFirst();
  }

  private static Map<String, String> settings(boolean synchronous) {
    Map<String, String> settings = new HashMap<>();
    settings.put(
        "synchronous_standby_names", synchronous ? "ANY 1 (" + String.join(", ", NAMES) + ")" : "");
    // Looks for a primary that is there again, or another, every so often.
    settings.put("wal_retrieve_retry_interval", "100ms");
    settings.put("wal_keep_size", "128MB");
    settings.put("min_wal_size", "32MB");
    settings.put("max_wal_size", "128MB");
    settings.put("wal_buffers", "1MB");
    settings.put("shared_buffers", "32MB");
    settings.put("max_connections", "60");
    if (System.getProperty("os.name", "").startsWith("Linux")) {
      // A copy is made durable in one go instead of file by file.
      settings.put("recovery_init_sync_method", "syncfs");
    }
    return settings;
  }

  /**
   * Makes one where the run may.
   *
   * @param synchronous whether commits wait for a standby
   */
  public static Trio make(Run run, boolean synchronous)
      throws IOException, SQLException, InterruptedException {
    run.phase("making three servers");
    Trio trio = new Trio(run, Database.directory(run), synchronous);
    boolean made = false;
    try {
      Runtime.getRuntime().addShutdownHook(trio.exitHook);
      trio.start();
      made = true;
      return trio;
    } finally {
      if (!made) {
        trio.close();
      }
    }
  }

  private static int freePort(SplittableRandom random, int index) throws IOException {
    int min = PORT_MIN + index * PORTS_EACH;
    IOException last = new IOException("no port");
    for (int i = 0; i < 100; i++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(
            new InetSocketAddress(
                InetAddress.ofLiteral("127.0.0.1"), random.nextInt(min, min + PORTS_EACH)));
        return probe.getLocalPort();
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private void start() throws IOException, SQLException, InterruptedException {
    primary.start();
    Files.writeString(
        primary.server().dataDirectory().resolve("pg_hba.conf"),
        "host replication " + primary.server().superuser().user() + " 127.0.0.1/32 scram-sha-256\n",
        StandardOpenOption.APPEND);
    primary.execute("SELECT pg_reload_conf()");
    for (Node standby : standbys()) {
      standby.startAsCopyOf(primary);
    }
    awaitStandbys();
    PGSimpleDataSource owner = source(primary.server().owner(), "partita-validate-owner");
    PostgresSchema schema = new PostgresSchema(owner, PostgresSchema.DEFAULT_NAME);
    schema.migrate();
    schema.grant(primary.server().application().user());
    run.fact("server", "PostgreSQL " + primary.server().serverVersion());
  }

  /** Who is it now. */
  public Node primary() {
    return primary;
  }

  /** The other two, whether they run or not. */
  public List<Node> standbys() {
    return nodes.stream().filter(node -> node != primary).toList();
  }

  /**
   * New connections of the role that the ledger runs as, to whichever of the three is a primary.
   *
   * @param name under which they are found in {@code pg_stat_activity}
   */
  public PGSimpleDataSource application(String name) {
    return source(primary.server().application(), name);
  }

  /** The same to one server, whatever it is. */
  public PGSimpleDataSource application(String name, Node node) {
    PGSimpleDataSource source = source(node.server().application(), name);
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {node.port()});
    source.setTargetServerType("any");
    return source;
  }

  private PGSimpleDataSource source(Login login, String name) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(login.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(login.password());
    source.setServerNames(nodes.stream().map(node -> "127.0.0.1").toArray(String[]::new));
    source.setPortNumbers(nodes.stream().mapToInt(Node::port).toArray());
    source.setTargetServerType("primary");
    source.setConnectTimeout(CONNECT_SECONDS);
    source.setSocketTimeout(ANSWER_SECONDS);
    source.setTcpKeepAlive(true);
    source.setApplicationName(name);
    return source;
  }

  /** Waits until both standbys have everything that the primary has now. */
  public void awaitStandbys() throws SQLException, InterruptedException {
    String lsn = primary.ask("SELECT pg_current_wal_lsn()");
    String following =
        "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND flush_lsn >= '"
            + lsn
            + "'";
    Wait.until(
        "both standbys follow " + primary,
        () -> primary.ask(following).equals(Integer.toString(standbys().size())));
  }

  /** Lets the standbys follow nobody; returns when they take nothing from the primary any more. */
  public void cutOff() throws SQLException, InterruptedException {
    for (Node standby : standbys()) {
      standby.follow(null);
    }
    for (Node standby : standbys()) {
      Wait.until(
          standby + " follows nobody",
          () -> standby.ask("SELECT count(*) FROM pg_stat_wal_receiver").equals("0"));
    }
  }

  /**
   * Makes the standby that is further ahead the primary. First both are cut off from the old one:
   * from then on it gets no commit confirmed, whether it lives or not, so that everything it has
   * acknowledged is on the one that is further ahead. Commits on the new one wait until the other
   * {@linkplain #follow follows}.
   *
   * @return by how many bytes of log it was further ahead
   */
  public long promote() throws SQLException, InterruptedException {
    cutOff();
    Node chosen = standbys().getFirst();
    Node other = standbys().getLast();
    long ahead = chosen.received() - other.received();
    if (ahead < 0) {
      chosen = other;
    }
    if (!chosen.ask("SELECT pg_promote(true, 60)").equals("t")) {
      throw new IllegalStateException(chosen + " does not become the primary");
    }
    primary = chosen;
    return Math.abs(ahead);
  }

  /** Lets a standby follow the primary. */
  public void follow(Node standby) throws SQLException {
    standby.follow(primary);
  }

  /** Makes a server that was killed a standby of the primary, from a fresh copy. */
  public void rebuild(Node node) throws IOException, SQLException, InterruptedException {
    node.startAsCopyOf(primary);
    awaitStandbys();
  }

  /** Kills the servers and removes their directories; keeps what is evidence. */
  @Override
  public void close() throws IOException {
    nodes.forEach(Node::killForSure);
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException e) {
      System.getLogger(Trio.class.getName())
          .log(System.Logger.Level.DEBUG, "the program is ending", e);
      return;
    }
    if (run.leavesEvidence("the databases are left: " + directory.path())) {
      directory.keep();
    }
    directory.close();
  }
}
