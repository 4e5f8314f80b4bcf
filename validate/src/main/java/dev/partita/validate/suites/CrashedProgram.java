package dev.partita.validate.suites;

import dev.partita.LedgerException;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.Watcher;
import dev.partita.validate.client.Crowd;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.JournalFile;
import dev.partita.validate.client.Teller;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * What the crash suite kills: an embedded server, a ledger on it and its clients, in one Java
 * virtual machine. It keeps the clients' journal in a file, starts its server again whenever that
 * has ended, and is told what to do on its standard input:
 *
 * <ul>
 *   <li>{@code work}: the clients begin;
 *   <li>{@code pause}: they finish what they have begun, and {@code paused} is the answer;
 *   <li>end of input: they finish likewise, and it stops everything and ends.
 * </ul>
 *
 * <p>It says {@code ready PORT PID} whenever its server has started, {@code violated WHAT: DETAIL}
 * for what must not be, and {@code failed WHY} when it gives up.
 */
final class CrashedProgram implements Suite {

  /** Clients at work at once. */
  static final int CLIENTS = 24;

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long LOOK_MILLIS = 5;

  /** Libraries keep standard output to applications; this is one. */
  private static final FileOutputStream OUTPUT = new FileOutputStream(FileDescriptor.out);

  /**
   * What it is told at its start.
   *
   * @param directory of the server
   * @param journal file
   * @param synchronousCommit of the ledger
   * @param settings of the server, each {@code name=value}
   */
  record Arguments(
      Path directory, Path journal, long seed, String synchronousCommit, List<String> settings) {

    List<String> words() {
      List<String> words =
          new ArrayList<>(
              List.of(
                  directory.toString(),
                  journal.toString(),
                  Long.toString(seed),
                  synchronousCommit));
      words.addAll(settings);
      return words;
    }

    static Arguments of(List<String> words) {
      return new Arguments(
          Path.of(words.get(0)),
          Path.of(words.get(1)),
          Long.parseLong(words.get(2)),
          words.get(3),
          words.subList(4, words.size()));
    }

    /** How the server is started, here and before the first program. */
    EmbeddedPostgresConfig server() {
      EmbeddedPostgresConfig.Builder builder = EmbeddedPostgresConfig.builder(directory);
      for (String setting : settings) {
        int equals = setting.indexOf('=');
        builder.setting(setting.substring(0, equals), setting.substring(equals + 1));
      }
      return builder.build();
    }
  }

  private final Arguments arguments;
  private final MovingDataSource connections = new MovingDataSource();

  private CrashedProgram(Arguments arguments) {
    this.arguments = arguments;
  }

  /** Runs until its input ends, or it is killed. */
  public static void main(String[] words) {
    Arguments arguments = Arguments.of(List.of(words));
    SuiteReport report =
        Run.of(
            new CrashedProgram(arguments),
            arguments.seed(),
            Effort.NORMAL,
            new Place.Embedded(arguments.directory()),
            new Watcher() {
              @Override
              public void phase(String text) {}

              @Override
              public void progress(long done, long total, String unit) {}

              @Override
              public void violation(String what, String detail) {
                say("violated " + what + ": " + detail);
              }
            });
    if (report.verdict() == SuiteReport.Verdict.INVALID) {
      say("failed " + report.why());
    }
    // Clients may still wait for a server that is gone.
    System.exit(report.held() ? 0 : 1);
  }

  private static synchronized void say(String line) {
    try {
      OUTPUT.write((line.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("nobody listens any more", e);
    }
  }

  @Override
  public String name() {
    return "crashed";
  }

  @Override
  public String summary() {
    return "the program that the crash suite kills";
  }

  @Override
  public void run(Run run) throws IOException, InterruptedException {
    EmbeddedPostgres server = start();
    try (JournalFile.Writer file = new JournalFile.Writer(arguments.journal());
        PostgresLedger ledger =
            PostgresLedger.open(
                connections,
                PostgresConfig.builder()
                    .synchronousCommit(arguments.synchronousCommit())
                    .build())) {
      Journal journal = new Journal(file);
      Teller teller = new Teller(ledger, journal, run, PATIENCE);
      Crowd crowd = new Crowd(run, CrashSuite.BANK, CLIENTS);
      FutureTask<Void> obeying = new FutureTask<>(() -> obey(crowd, teller, journal));
      Thread.ofPlatform().daemon().name("commands").start(obeying);
      while (!obeying.isDone()) {
        if (!server.isRunning()) {
          server.close();
          server = restart();
        }
        Thread.sleep(LOOK_MILLIS);
      }
      finish(obeying);
    } finally {
      server.close();
    }
  }

  private EmbeddedPostgres start() {
    EmbeddedPostgres server = EmbeddedPostgres.start(arguments.server());
    connections.moveTo(server);
    say("ready " + server.port() + " " + server.pid());
    return server;
  }

  /** Starts it again, or ends at once: with clients that wait there is no end in good order. */
  private EmbeddedPostgres restart() {
    try {
      return start();
    } catch (LedgerException e) {
      say("failed " + e.getMessage());
      Runtime.getRuntime().halt(1);
      throw e;
    }
  }

  /** Does as told until the input ends. */
  private static @Nullable Void obey(Crowd crowd, Teller teller, Journal journal)
      throws IOException, InterruptedException {
    FutureTask<Void> working = null;
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("work")) {
          working =
              new FutureTask<>(
                  () -> {
                    try {
                      crowd.work(teller, () -> false);
                    } catch (IllegalStateException e) {
                      say("violated the clients go on after every kill: " + e.getMessage());
                    }
                    return null;
                  });
          Thread.ofVirtual().name("crowd").start(working);
        } else if (line.equals("pause") && working != null) {
          crowd.stop();
          finish(working);
          // The file has it all.
          journal.clear();
          say("paused");
        }
      }
    }
    if (working != null) {
      crowd.stop();
      finish(working);
    }
    return null;
  }

  private static void finish(FutureTask<Void> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a task failed: " + e.getCause(), e.getCause());
    }
  }
}
