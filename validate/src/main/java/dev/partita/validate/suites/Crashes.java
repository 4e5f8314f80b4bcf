package dev.partita.validate.suites;

import dev.partita.validate.Run;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.JournalFile;
import dev.partita.validate.faults.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The program that is killed, its server, and the ways to kill them. Starts the program again after
 * each kill of it, on the same data. For one thread.
 */
final class Crashes implements AutoCloseable {

  /** Who is killed, in this order, with nothing in between. */
  enum Kill {
    /** One of the server's processes: it ends all sessions and recovers by itself. */
    PROCESS("one process of the server"),
    /** The server's main process. */
    SERVER("the server"),
    /** The program alone: its server goes on until the next start stops it. */
    JVM("the program"),
    /** The program, and then the server. */
    JVM_THEN_SERVER("the program, then the server"),
    /** The program and all processes of the server. */
    EVERYTHING("everything");

    private final String who;

    Kill(String who) {
      this.who = who;
    }
  }

  static final String RETURNS = "the ledger comes back after every kill";

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** So many bytes of journal are more than all clients can write without an answer. */
  private static final long WORK_BYTES = 100_000;

  private static final long LOOK_MILLIS = 5;

  private final Run run;
  private final Path directory;
  private final CrashedProgram.Arguments arguments;
  private final SplittableRandom random;
  private final Map<Kill, Integer> kills = new EnumMap<>(Kill.class);

  /** Main processes killed since a server was last ready. */
  private final Set<Long> killed = new HashSet<>();

  private @Nullable ChildJvm program;
  private @Nullable ProcessHandle server;
  private JournalFile.@Nullable Reader journal;
  private boolean working;
  private int port;
  private int programs;
  private int killsWhileStarting;
  private Duration lastStart = Duration.ofSeconds(2);
  private Duration longestStart = Duration.ZERO;

  /**
   * Starts nothing yet.
   *
   * @param directory for the journals and what the programs say
   * @param arguments for the first program; the others differ in seed and journal
   */
  Crashes(Run run, Path directory, CrashedProgram.Arguments arguments) {
    this.run = run;
    this.directory = directory;
    this.arguments = arguments;
    this.random = run.random("crashes");
  }

  private ChildJvm program() {
    return Objects.requireNonNull(program, "no program runs");
  }

  /**
   * Waits for a server that accepts connections, starts the program if there is none, and now and
   * then kills it again while it starts.
   *
   * @param journalTo takes in what a program wrote that was killed meanwhile
   */
  void awaitReady(Journal journalTo) throws IOException, InterruptedException {
    boolean excused = false;
    long begun = System.nanoTime();
    while (true) {
      if (program == null) {
        begin();
        excused = false;
      }
      boolean strikes = random.nextInt(4) == 0;
      Duration patience =
          strikes ? lastStart.multipliedBy(random.nextInt(120)).dividedBy(100) : PATIENCE;
      if (ready(patience)) {
        lastStart = Duration.ofNanos(System.nanoTime() - begun);
        longestStart = lastStart.compareTo(longestStart) > 0 ? lastStart : longestStart;
        run.held(RETURNS, 1);
        return;
      }
      if (program().isAlive() && strikes) {
        excused |= killWhileStarting();
      } else if (!excused) {
        run.violation(
            RETURNS, program().isAlive() ? "not within " + PATIENCE : "it gave up, see " + said());
        throw new IllegalStateException("the ledger did not come back");
      }
      if (!program().isAlive()) {
        read(journalTo);
        end();
        begun = System.nanoTime();
      }
    }
  }

  /** What the server says when it is ready counts only if that server was not killed since. */
  private boolean ready(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<String> line =
          program().await("ready ", Duration.ofNanos(deadline - System.nanoTime()));
      if (line.isEmpty()) {
        return false;
      }
      String[] words = line.get().split(" ", -1);
      long pid = Long.parseLong(words[1]);
      if (!killed.contains(pid)) {
        killed.clear();
        server = ProcessHandle.of(pid).orElse(null);
        port = Integer.parseInt(words[0]);
        return true;
      }
    }
  }

  private Path said() {
    return directory.resolve("programs.log");
  }

  private void begin() throws IOException {
    if (!run.violated()) {
      Files.deleteIfExists(directory.resolve("journal-" + programs));
    }
    programs++;
    Path file = directory.resolve("journal-" + programs);
    journal = new JournalFile.Reader(file);
    program =
        ChildJvm.start(
            CrashedProgram.class,
            new CrashedProgram.Arguments(
                    arguments.directory(),
                    file,
                    arguments.seed() + programs,
                    arguments.synchronousCommit(),
                    arguments.settings())
                .words(),
            said(),
            this::hear);
  }

  private void hear(String line) {
    if (line.startsWith("violated ")) {
      String[] parts = line.substring("violated ".length()).split(": ", 2);
      run.violation(parts[0], parts[parts.length - 1]);
    }
  }

  /** Lets the clients work until they have been answered a good many times. */
  void work() throws IOException, InterruptedException {
    program().say("work");
    working = true;
    awaitAnswers();
  }

  /** Waits until the clients have been answered a good many times from now on. */
  void awaitAnswers() throws IOException, InterruptedException {
    JournalFile.Reader file = Objects.requireNonNull(journal);
    long until = file.size() + WORK_BYTES;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (file.size() < until) {
      if (!program().isAlive() || System.nanoTime() - deadline > 0) {
        run.violation(RETURNS, "no clients are answered, see " + said());
        throw new IllegalStateException("the clients do not go on");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Lets the clients finish what they have begun. */
  void pause() throws InterruptedException {
    program().say("pause");
    if (program().await("paused", PATIENCE).isEmpty()) {
      run.violation(RETURNS, "the clients are not answered, see " + said());
      throw new IllegalStateException("the clients do not finish");
    }
    working = false;
  }

  /** Takes in what the program has written down since the last time. */
  void read(Journal into) throws IOException {
    Objects.requireNonNull(journal).read(into);
  }

  /** Whether clients are at work: the program was told to and has not been killed since. */
  boolean isWorking() {
    return working;
  }

  /** Where the server listens that was ready last. */
  int port() {
    return port;
  }

  /** Kills, and forgets the program if it was killed; what it wrote goes to the journal. */
  void kill(Kill kill, Journal journalTo) throws IOException, InterruptedException {
    kills.merge(kill, 1, Integer::sum);
    ProcessHandle main = Objects.requireNonNull(server, "no server runs");
    switch (kill) {
      case PROCESS -> {
        List<ProcessHandle> processes = main.children().toList();
        if (!processes.isEmpty()) {
          processes.get(random.nextInt(processes.size())).destroyForcibly();
        }
      }
      case SERVER -> kill(main);
      case JVM -> program().kill();
      case JVM_THEN_SERVER -> {
        program().kill();
        kill(main);
      }
      case EVERYTHING -> killEverything(List.of(main));
    }
    if (!program().isAlive()) {
      read(journalTo);
      end();
    }
  }

  /** Whether anything was there to be killed. */
  private boolean killWhileStarting() throws InterruptedException {
    List<ProcessHandle> starting = program().children();
    switch (random.nextInt(3)) {
      case 0 -> {
        if (starting.isEmpty()) {
          return false;
        }
        starting.forEach(this::kill);
      }
      case 1 -> program().kill();
      default -> killEverything(starting);
    }
    killsWhileStarting++;
    return true;
  }

  private void killEverything(List<ProcessHandle> mains) throws InterruptedException {
    List<ProcessHandle> others = mains.stream().flatMap(ProcessHandle::descendants).toList();
    program().kill();
    mains.forEach(this::kill);
    others.forEach(ProcessHandle::destroyForcibly);
  }

  private void kill(ProcessHandle process) {
    killed.add(process.pid());
    process.destroyForcibly();
  }

  private void end() {
    program().close();
    program = null;
    working = false;
  }

  /** Kills of the program or the server. */
  int kills() {
    return killsWhileStarting
        + kills.entrySet().stream()
            .filter(each -> each.getKey() != Kill.PROCESS)
            .mapToInt(Map.Entry::getValue)
            .sum();
  }

  /** Notes the counts. */
  void report() {
    run.fact("kills of the program or the server", kills());
    for (Kill kill : Kill.values()) {
      run.fact("killed: " + kill.who, kills.getOrDefault(kill, 0));
    }
    run.fact("killed while starting or recovering", killsWhileStarting);
    run.fact("programs started", programs);
    run.fact("longest start after a kill", longestStart.toMillis(), "ms");
  }

  /** Ends the program in good order, and a server that was left without one in any. */
  @Override
  public void close() {
    if (program != null) {
      end();
    }
    if (server != null) {
      server.destroyForcibly();
    }
  }
}
