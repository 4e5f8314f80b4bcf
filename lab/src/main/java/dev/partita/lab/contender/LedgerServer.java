package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.ClosedLoop;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Window;
import dev.partita.lab.load.Worker;
import dev.partita.lab.workload.Workload;
import dev.partita.memory.InMemoryLedger;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.server.PartitaServer;
import dev.partita.server.ServerConfig;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Serves one ledger after another over HTTP, as {@code partita serve} does, in a process of its own
 * that is told what to do line by line: {@code open}, and then a JDBC URL, a user, a password and a
 * schema, is answered with {@code at} and an address; {@code close} with {@code closed}. It ends
 * when its input does, so it cannot outlive whoever started it. One process for many ledgers,
 * because a Java virtual machine that has just been started is slow for a while.
 */
final class LedgerServer {

  static final String OPEN = "open";
  static final String CLOSE = "close";
  static final String AT = "at ";
  static final String CLOSED = "closed";

  private static final int WARM_REQUESTS = 40_000;
  private static final Duration WARM_MAX = Duration.ofSeconds(10);
  private static final int WARM_CALLERS = 16;
  private static final int WARM_ACCOUNTS = 100;
  private static final long WARM_OPENING = 1_000_000_000;

  private final BufferedReader input;
  private final PrintStream output;
  private @Nullable PostgresLedger ledger;
  private @Nullable PartitaServer server;

  private LedgerServer(BufferedReader input, PrintStream output) {
    this.input = input;
    this.output = output;
  }

  /** Serves until its input ends. */
  public static void main(String[] arguments) throws IOException {
    // Libraries keep the standard streams to applications; this is one.
    try (BufferedReader input =
            new BufferedReader(
                new InputStreamReader(
                    new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        PrintStream output =
            new PrintStream(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)) {
      new LedgerServer(input, output).obey();
    }
  }

  private void obey() throws IOException {
    warmUp();
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      switch (line) {
        case OPEN -> output.println(AT + open(next(), next(), next(), next()));
        case CLOSE -> {
          close();
          output.println(CLOSED);
        }
        default -> throw new IOException("is told " + line);
      }
    }
    close();
  }

  /**
   * Answers requests over a ledger in memory until what they share with those to come has been
   * compiled: a service runs for days, and its first seconds are not what is asked for here.
   */
  private static void warmUp() {
    try (InMemoryLedger memory =
            new InMemoryLedger(() -> Instant.now().truncatedTo(ChronoUnit.MICROS));
        PartitaServer warming = PartitaServer.start(memory, ServerConfig.DEFAULT.port(0))) {
      PartitaBooks.openAccounts(memory, WARM_ACCOUNTS, WARM_OPENING);
      List<Worker> workers = new ArrayList<>();
      for (int i = 0; i < WARM_CALLERS; i++) {
        workers.add(new PlainHttp(warming.uri()));
      }
      Workload hot = Workload.hot(WARM_ACCOUNTS);
      AtomicInteger left = new AtomicInteger(WARM_REQUESTS);
      Observer enough =
          new Observer() {
            @Override
            public void ended(Operation operation, Answer answer) {
              left.decrementAndGet();
            }

            @Override
            public boolean wantsMore() {
              return left.get() > 0;
            }
          };
      ClosedLoop.run(
          workers, caller -> hot.source(caller, 1), Window.of(Duration.ZERO, WARM_MAX), enough);
      workers.forEach(Worker::close);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String next() throws IOException {
    return Objects.requireNonNull(input.readLine(), "the input ended in the middle of a command");
  }

  private URI open(String url, String user, String password, String schema) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(url);
    source.setUser(user);
    source.setPassword(password);
    source.setApplicationName("partita-lab-http");
    PostgresLedger opened =
        PostgresLedger.open(
            source, PostgresConfig.builder().schema(schema).sweepInterval(null).build());
    ledger = opened;
    PartitaServer started = PartitaServer.start(opened, ServerConfig.DEFAULT.port(0));
    server = started;
    return started.uri();
  }

  private void close() {
    if (server != null) {
      server.close();
      server = null;
    }
    if (ledger != null) {
      ledger.close();
      ledger = null;
    }
  }
}
