package dev.partita.cli.output;

import dev.partita.Progress;
import java.util.Locale;

/**
 * Tells how far a long operation is: one redrawn line for a person, a line every ten seconds for a
 * log, nothing at all for programs. Safe for use by several threads.
 */
public final class ProgressLine implements Progress, AutoCloseable {

  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long LOG_NANOS = 10_000_000_000L;
  private static final int BAR_WIDTH = 30;

  private final Terminal terminal;
  private final String what;
  private final boolean silent;
  private final long begunNanos = System.nanoTime();
  private long shownNanos = begunNanos;
  private boolean drawn;

  /** A line for an operation that counts {@code what}, such as {@code rows}. */
  public ProgressLine(Terminal terminal, String what, boolean silent) {
    this.terminal = terminal;
    this.what = what;
    this.silent = silent;
  }

  /** Shows the count; a total of 0 is not known. */
  @Override
  public synchronized void report(long done, long total) {
    long nowNanos = System.nanoTime();
    long sinceNanos = nowNanos - shownNanos;
    if (silent || sinceNanos < (terminal.interactive() ? REDRAW_NANOS : LOG_NANOS)) {
      return;
    }
    shownNanos = nowNanos;
    long perSecond = perSecond(done, nowNanos - begunNanos);
    String numbers =
        String.format(
            Locale.ROOT,
            "%,d%s %s, %,d/s",
            done,
            total > 0 ? String.format(Locale.ROOT, " of %,d", total) : "",
            what,
            perSecond);
    if (terminal.interactive()) {
      terminal.err().print("\r\u001b[2K" + (total > 0 ? bar(done, total) : "") + numbers);
      drawn = true;
    } else {
      terminal.err().println(numbers);
    }
    terminal.err().flush();
  }

  /** Removes a redrawn line, so that what follows stands alone. */
  @Override
  public synchronized void close() {
    if (drawn) {
      terminal.err().print("\r\u001b[2K");
      terminal.err().flush();
      drawn = false;
    }
  }

  /** Whole units in a second. */
  public static long perSecond(long units, long elapsedNanos) {
    return Math.round(units * 1e9 / Math.max(1, elapsedNanos));
  }

  private static String bar(long done, long total) {
    long share = Math.min(done, total);
    int full = (int) (share * BAR_WIDTH / total);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3d%%  ",
        "#".repeat(full),
        "-".repeat(BAR_WIDTH - full),
        share * 100 / total);
  }
}
