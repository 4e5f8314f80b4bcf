package dev.partita.validate.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A program of this class path in a Java virtual machine of its own, to be talked to line by line
 * and killed. Its errors go to a file. For one thread.
 */
public final class ChildJvm implements AutoCloseable {

  /** What {@link #await} finds after the program's last line. */
  private static final String END = "\0";

  private static final Duration END_PATIENCE = Duration.ofMinutes(1);

  private final Process process;
  private final Writer input;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread reader;

  private ChildJvm(Process process, Consumer<String> everyLine) {
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.reader =
        Thread.ofPlatform().daemon().name("child-jvm-output").start(() -> read(everyLine));
  }

  /**
   * Starts one, small and quick to start.
   *
   * @param errors file for what it says on standard error, appended to
   * @param everyLine told each line of its output as it comes, on another thread
   */
  public static ChildJvm start(
      Class<?> main, List<String> arguments, Path errors, Consumer<String> everyLine)
      throws IOException {
    return start(main, arguments, Map.of(), errors, everyLine);
  }

  /**
   * The same with more in its environment, where what is secret belongs: everybody can read
   * arguments.
   */
  public static ChildJvm start(
      Class<?> main,
      List<String> arguments,
      Map<String, String> environment,
      Path errors,
      Consumer<String> everyLine)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    builder.environment().putAll(environment);
    return new ChildJvm(builder.start(), everyLine);
  }

  private void read(Consumer<String> everyLine) {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output
          .lines()
          .forEach(
              line -> {
                everyLine.accept(line);
                lines.add(line);
              });
    } catch (IOException | UncheckedIOException e) {
      lines.add("(its output ended: " + e.getMessage() + ")");
    } finally {
      lines.add(END);
    }
  }

  /** Says a line to it; one that has ended does not hear it. */
  public void say(String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      // Nobody is there to hear it, which is for whoever awaits the answer to find out.
      lines.add("(does not hear: " + e.getMessage() + ")");
    }
  }

  /**
   * Waits for a line that begins like this, past all others.
   *
   * @return the rest of it; empty if the program ended or the time is over
   */
  public Optional<String> await(String prefix, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        return Optional.empty();
      }
      if (line.equals(END)) {
        lines.add(END);
        // So that it is not taken for one that goes on and is slow to speak.
        awaitEnd(END_PATIENCE);
        return Optional.empty();
      }
      if (line.startsWith(prefix)) {
        return Optional.of(line.substring(prefix.length()).strip());
      }
    }
  }

  /** Whether it has not ended yet. */
  public boolean isAlive() {
    return process.isAlive();
  }

  private boolean awaitEnd(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** The processes it started itself, those that live. */
  public List<ProcessHandle> children() {
    return process.children().toList();
  }

  /**
   * Kills it: no hook runs, nothing is said, and what it started goes on. Through the handle, which
   * leaves its output open: what it said before is still read.
   */
  public void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
    reader.join(END_PATIENCE);
  }

  /** Closes its input, on which it ends, or is killed if it does not. */
  @Override
  public void close() {
    try {
      input.close();
    } catch (IOException e) {
      // It has ended already.
      process.destroyForcibly();
    }
    try {
      if (!awaitEnd(END_PATIENCE)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
