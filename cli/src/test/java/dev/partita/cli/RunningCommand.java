package dev.partita.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.partita.cli.output.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicInteger;

/** A command that goes on until it is interrupted. */
final class RunningCommand {

  private static final int PIPE_BYTES = 1 << 16;

  private final AtomicInteger exitCode = new AtomicInteger(-1);
  private final StringWriter errors = new StringWriter();
  private final BufferedReader said;
  private final Thread thread;

  private RunningCommand(Commands commands, String... arguments) throws IOException {
    PipedOutputStream pipe = new PipedOutputStream();
    said = new BufferedReader(new InputStreamReader(new PipedInputStream(pipe, PIPE_BYTES), UTF_8));
    Terminal terminal =
        new Terminal(
            new PrintWriter(new OutputStreamWriter(pipe, UTF_8)),
            new PrintWriter(errors),
            false,
            false);
    World world =
        new World(
            terminal,
            commands.environment,
            InputStream.nullInputStream(),
            commands.source(),
            () -> false,
            opened -> {});
    thread =
        Thread.ofPlatform()
            .start(() -> exitCode.set(Partita.commandLine(world).execute(arguments)));
  }

  static RunningCommand start(Commands commands, String... arguments) throws IOException {
    return new RunningCommand(commands, arguments);
  }

  /** The next line it says, waiting for it. */
  String line() throws IOException {
    String line = said.readLine();
    if (line == null) {
      throw new IOException("it has ended: " + errors);
    }
    return line;
  }

  /** Ends it; the exit code. */
  int interrupt() throws InterruptedException {
    thread.interrupt();
    thread.join();
    return exitCode.get();
  }

  String errors() {
    return errors.toString();
  }
}
