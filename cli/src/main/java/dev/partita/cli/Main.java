package dev.partita.cli;

import dev.partita.cli.connect.PostgresSource;
import dev.partita.cli.output.StandardOutput;
import dev.partita.cli.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.LogManager;

/** Entry point of the command line. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    quietLogging(List.of(args).contains("serve"));
    Interruption interruption = Interruption.ofThisThread();
    StandardOutput out = new StandardOutput();
    int code;
    try {
      World world =
          new World(
              terminal(System.getenv(), out),
              System.getenv(),
              System.in,
              new PostgresSource(interruption::watch),
              interruption::begun,
              interruption::watch);
      code = Partita.commandLine(world).execute(args);
      world.terminal().flush();
      code = Failures.reportLost(code, out, Partita.outputFor(world, args));
    } finally {
      interruption.finished();
    }
    // While the machine shuts down, exit would wait for ever; its own code is then 130.
    if (!interruption.begun()) {
      System.exit(code);
    }
  }

  /**
   * Libraries log through java.util.logging; only what an operator must see is shown, on standard
   * error. What runs for long says when.
   */
  private static void quietLogging(boolean withTime) {
    if (System.getProperty("java.util.logging.config.file") != null) {
      return;
    }
    String settings =
        """
        handlers = java.util.logging.ConsoleHandler
        .level = WARNING
        dev.partita.server.level = INFO
        org.flywaydb.level = SEVERE
        org.postgresql.level = SEVERE
        java.util.logging.SimpleFormatter.format = \
        """
            + (withTime ? "%1$tFT%1$tT.%1$tL%1$tz " : "")
            + "partita: %4$s: %5$s%6$s%n\n";
    try {
      LogManager.getLogManager()
          .readConfiguration(
              new ByteArrayInputStream(settings.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private static Terminal terminal(Map<String, String> environment, StandardOutput out) {
    // Java 25 answers null again where there is no terminal; 22 to 24 did not.
    boolean terminal =
        Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    boolean interactive = terminal && !"dumb".equals(environment.get("TERM"));
    boolean colour = interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    return new Terminal(writer(out), writer(err), interactive, colour);
  }

  private static PrintWriter writer(OutputStream stream) {
    return new PrintWriter(
        new PrintStream(stream, false, StandardCharsets.UTF_8), false, StandardCharsets.UTF_8);
  }
}
