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
  private final int columns;
  private final boolean silent;
  private long begunNanos;
  private boolean drawn;

  /**
   * Tells a terminal, or nobody.
   *
   * @param columns that a line may have
   */
  public LabProgress(Terminal terminal, int columns, boolean silent) {
    this.terminal = terminal;
    this.columns = columns;
    this.silent = silent;
  }

  @Override
  public void began(String what, int done, int cells) {
    if (silent || !terminal.interactive()) {
      return;
    }
    if (done == 0) {
      begunNanos = System.nanoTime();
    }
    String place = cells == 0 ? "" : String.format(Locale.ROOT, "%d of %d: ", done + 1, cells);
    draw(place + what + left(done, cells));
  }

  private String left(int done, int cells) {
    if (done == 0 || cells == 0) {
      return " …";
    }
    long each = (System.nanoTime() - begunNanos) / done;
    Duration rest = Duration.ofNanos(each * (cells - done));
    return String.format(
        Locale.ROOT, ", about %d:%02d left", rest.toMinutes(), rest.toSecondsPart());
  }

  /** One line, cut where it would go on in a second: only one is cleared. */
  private void draw(String line) {
    clear();
    terminal.err().print(line.length() < columns ? line : line.substring(0, columns - 2) + "…");
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
            "%d %-28s %,9.0f/s  p50 %,8.2f  p99 %,8.2f ms  %s%n",
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
