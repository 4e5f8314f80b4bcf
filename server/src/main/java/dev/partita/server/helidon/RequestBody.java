package dev.partita.server.helidon;

import dev.partita.server.http.Problem;
import dev.partita.server.http.ProblemException;
import io.helidon.http.RequestException;
import io.helidon.http.media.ReadableEntity;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The body of a request, whose failures are problems. Opened when it is first read. */
final class RequestBody extends InputStream {

  private final ReadableEntity entity;
  private final BodyWatch watch;
  private @Nullable InputStream in;

  // Guarded by this: the watch must not interrupt a thread that reads no longer.
  private @Nullable Thread reader;
  private long sinceNanos;
  private boolean cut;

  RequestBody(ReadableEntity entity, BodyWatch watch) {
    this.entity = entity;
    this.watch = watch;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    int read = read(one, 0, 1);
    return read < 0 ? read : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    begin();
    try {
      return open().read(buffer, offset, length);
    } catch (IOException | RuntimeException e) {
      throw new ProblemException(problem(e));
    } finally {
      end();
    }
  }

  private InputStream open() {
    InputStream opened = in;
    if (opened == null) {
      opened = entity.hasEntity() ? entity.inputStream() : InputStream.nullInputStream();
      in = opened;
    }
    return opened;
  }

  private void begin() {
    synchronized (this) {
      reader = Thread.currentThread();
      sinceNanos = System.nanoTime();
    }
    watch.begin(this);
  }

  private void end() {
    watch.end(this);
    synchronized (this) {
      reader = null;
    }
  }

  /** Interrupts a read that waits too long, which closes the connection. */
  synchronized void cutIfSilent(long nowNanos, long timeoutNanos) {
    if (reader != null && !cut && nowNanos - sinceNanos > timeoutNanos) {
      cut = true;
      reader.interrupt();
    }
  }

  private synchronized boolean isCut() {
    return cut;
  }

  private Problem problem(Exception failure) {
    if (failure instanceof RequestException refusal) {
      return UnreadableRequests.problem(refusal.status().code(), refusal.getMessage())
          .header("Connection", "close");
    }
    boolean slow = isCut();
    return Problem.of(
            slow ? 408 : 400,
            slow ? "too_slow" : "body_incomplete",
            slow
                ? "the body stopped coming; nothing of this request was recorded"
                : "the body ended before its announced length; nothing of this request was"
                    + " recorded")
        .header("Connection", "close");
  }
}
