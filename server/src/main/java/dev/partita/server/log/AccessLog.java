package dev.partita.server.log;

import dev.partita.server.http.Observation;
import dev.partita.server.http.RequestObserver;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes a line for each request. A thread of its own writes; a request only leaves its line, and
 * if too many wait already, because whoever reads the log is slow, the line is dropped and counted.
 * Safe for use by any number of threads.
 */
public final class AccessLog implements RequestObserver, AutoCloseable {

  /** Lines that may wait: some seconds of a busy server, a few megabytes. */
  public static final int LINES_MAX = 8_192;

  private static final int CLOSE_SECONDS_MAX = 2;

  /** How a line looks. */
  public enum Format {
    /** Values in a fixed order, divided by spaces. */
    TEXT,
    /** A JSON object. */
    JSON
  }

  private final Format format;
  private final Writer out;
  private final BlockingQueue<String> lines;
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private volatile boolean closing;

  private AccessLog(Format format, Writer out, int linesMax) {
    this.format = format;
    this.out = out;
    this.lines = new ArrayBlockingQueue<>(linesMax);
    this.thread = Thread.ofPlatform().daemon().name("partita-access-log").unstarted(this::write);
  }

  /**
   * A log to a writer, which stays the caller's to close.
   *
   * @param linesMax most lines that wait to be written
   */
  public static AccessLog start(Format format, Writer out, int linesMax) {
    AccessLog log = new AccessLog(format, out, linesMax);
    log.thread.start();
    return log;
  }

  /** How many lines were dropped. */
  public long dropped() {
    return dropped.get();
  }

  @Override
  public void ended(Observation request) {
    if (lines.remainingCapacity() == 0 || !lines.offer(line(request))) {
      dropped.incrementAndGet();
    }
  }

  private String line(Observation request) {
    return format == Format.JSON ? AccessLine.json(request) : AccessLine.text(request);
  }

  private void write() {
    try {
      while (true) {
        String line = lines.poll();
        if (line == null) {
          flush();
          if (closing) {
            return;
          }
          line = lines.take();
        }
        write(line);
      }
    } catch (InterruptedException e) {
      writeRest();
    }
  }

  /** It is closing: nothing more will come. */
  private void writeRest() {
    for (String line = lines.poll(); line != null; line = lines.poll()) {
      write(line);
    }
    flush();
  }

  private void write(String line) {
    try {
      out.write(line);
    } catch (IOException e) {
      dropped.incrementAndGet();
    }
  }

  private void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      // The next line meets the same, and is counted.
      System.getLogger(AccessLog.class.getName())
          .log(System.Logger.Level.DEBUG, "the access log cannot be written", e);
    }
  }

  /** Writes what waits, for two seconds at most. */
  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      boolean ignored = thread.join(Duration.ofSeconds(CLOSE_SECONDS_MAX));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
