package dev.partita.cli.validate;

import dev.partita.cli.output.ProgressLine;
import dev.partita.cli.output.Terminal;
import dev.partita.validate.Watcher;
import org.jspecify.annotations.Nullable;

/** Tells how far a suite is: its phases, and a progress line in each. Safe for several threads. */
public final class RunLine implements Watcher, AutoCloseable {

  private final Terminal terminal;
  private final String suite;
  private final boolean silent;
  private String phase = "";
  private @Nullable ProgressLine line;

  /** A line for one suite. */
  public RunLine(Terminal terminal, String suite, boolean silent) {
    this.terminal = terminal;
    this.suite = suite;
    this.silent = silent;
  }

  @Override
  public synchronized void phase(String text) {
    if (silent || text.equals(phase)) {
      return;
    }
    phase = text;
    endLine();
    terminal.err().println(suite + ": " + text);
    terminal.err().flush();
  }

  @Override
  public synchronized void progress(long done, long total, String unit) {
    if (line == null) {
      line = new ProgressLine(terminal, unit, silent);
    }
    // More than was meant: a suite goes on until enough has gone wrong, too.
    line.report(done, done > total ? 0 : total);
  }

  @Override
  public synchronized void close() {
    endLine();
  }

  private void endLine() {
    if (line != null) {
      line.close();
      line = null;
    }
  }
}
