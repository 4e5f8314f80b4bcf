package dev.partita.validate.suites;

import dev.partita.embedded.Login;
import dev.partita.validate.Database;
import dev.partita.validate.Run;
import dev.partita.validate.faults.ChildJvm;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * {@code partita serve} in a Java virtual machine of its own, on a database that goes on without
 * it: started, killed, and started again at the same address. For one thread at a time.
 */
final class ServedLedger implements AutoCloseable {

  static final String RETURNS = "the server comes back after every kill";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Below what systems hand out to connections by themselves: there, a client that looks for a
   * server which is not there may be given the very port it looks for, and meet itself.
   */
  private static final int PORT_FIRST = 20_000;

  private static final int PORTS = 10_000;

  private final Run run;
  private final Class<?> program;
  private final Path errors;
  private final int port;
  private final List<String> arguments;
  private final Map<String, String> environment;
  private @Nullable ChildJvm child;
  private Duration longestStart = Duration.ZERO;
  private int starts;

  /**
   * Starts nothing yet.
   *
   * @param program whose {@code serve} it is
   * @param directory for what it says on standard error
   */
  ServedLedger(Run run, Class<?> program, Database database, Path directory) throws IOException {
    this.run = run;
    this.program = program;
    this.errors = directory.resolve("server.err");
    this.port = freePort(run.random("port"));
    Login login = database.login();
    arguments =
        List.of(
            "serve",
            "--port",
            Integer.toString(port),
            "--url",
            login.jdbcUrl(),
            "--user",
            login.user(),
            "--schema",
            database.schema(),
            "--output",
            "json");
    environment = Map.of("PARTITA_PASSWORD", login.password());
  }

  private static int freePort(SplittableRandom random) throws IOException {
    while (true) {
      int port = PORT_FIRST + random.nextInt(PORTS);
      if (isFree(port)) {
        return port;
      }
    }
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false;
    }
  }

  /** Where it is, or will be again. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Begins to start it; {@link #awaitReady} must follow, or {@link #kill}. */
  void start() throws IOException {
    starts++;
    child = ChildJvm.start(program, arguments, environment, errors, line -> {});
  }

  /** Waits until it listens. */
  void awaitReady() throws InterruptedException, IOException {
    long begun = System.nanoTime();
    // With --output json it says one thing: where it listens.
    if (child == null || child.await("{", PATIENCE).isEmpty()) {
      run.violation(RETURNS, "it did not begin to listen, it said: " + said());
      throw new IllegalStateException("the server does not start: " + said());
    }
    run.held(RETURNS, 1);
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    longestStart = took.compareTo(longestStart) > 0 ? took : longestStart;
  }

  private String said() throws IOException {
    String text = Files.exists(errors) ? Files.readString(errors) : "";
    return text.strip();
  }

  /** Its process. */
  long pid() {
    if (child == null) {
      throw new IllegalStateException("no server runs");
    }
    return child.pid();
  }

  /** Ends it with -9, whatever it is at. */
  void kill() throws InterruptedException {
    ChildJvm killed = child;
    child = null;
    if (killed != null) {
      killed.kill();
      killed.close();
    }
  }

  /** Notes the counts. */
  void report() {
    run.fact("servers started", starts);
    run.fact("longest start", longestStart.toMillis(), "ms");
  }

  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException e) {
      // It has been told to end, which it cannot refuse.
      Thread.currentThread().interrupt();
    }
  }
}
