package dev.partita.cli.lab;

import dev.partita.cli.output.Terminal;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.run.Progress;
import java.time.Duration;
import java.util.Locale;

/**
 * Tells how far a run is: a line for each cell, and for a person one more that is redrawn with what
 * is going on. For one thread.
 */
public final class LabProgress implements Progress, AutoCloseable {

  private static final double MICROS_PER_MILLI = 1_000;

  private final Terminal terminal;
  private final boolean silent;
  private long begunNanos;
  private boolean drawn;

  /** Tells a terminal, or nobody. */
  public LabProgress(Terminal terminal, boolean silent) {
    this.terminal = terminal;
    this.silent = silent;
  }

  @Override
  public void began(String what, int done, int cells) {
    if (silent || !terminal.interactive()) {
      return;
    }
    clear();
    if (done == 0) {
      begunNanos = System.nanoTime();
    }
    String left = "";
    if (done > 0) {
      long each = (System.nanoTime() - begunNanos) / done;
      Duration rest = Duration.ofNanos(each * (cells - done));
      left =
          String.format(
              Locale.ROOT, ", about %d:%02d left", rest.toMinutes(), rest.toSecondsPart());
    }
    terminal.err().printf(Locale.ROOT, "%d of %d: %s%s", done + 1, cells, what, left);
    terminal.err().flush();
    drawn = true;
  }

  @Override
  public void ended(Cell cell) {
    if (silent) {
      return;
    }
    clear();
    terminal
        .err()
        .printf(
            Locale.ROOT,
            "block %d  %-28s %,10.0f/s  p50 %9.3f ms  p99 %9.3f ms  %s%n",
            cell.block(),
            cell.arm(),
            cell.counts().goodputPerSecond(),
            cell.latencies().response().p50() / MICROS_PER_MILLI,
            cell.latencies().response().p99() / MICROS_PER_MILLI,
            cell.verdict());
    for (GateResult each : cell.failedGates()) {
      terminal.err().printf(Locale.ROOT, "  %s %s: %s%n", each.id(), each.what(), each.observed());
    }
    terminal.err().flush();
  }

  private void clear() {
    if (drawn) {
      terminal.err().print("\r\u001b[2K");
      drawn = false;
    }
  }

  @Override
  public void close() {
    clear();
    terminal.err().flush();
  }
}
