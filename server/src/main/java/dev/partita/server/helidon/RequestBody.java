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
  private final Transit transit;
  private @Nullable InputStream in;

  RequestBody(ReadableEntity entity, BodyWatch watch) {
    this.entity = entity;
    this.transit = new Transit(watch);
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    int read = read(one, 0, 1);
    return read < 0 ? read : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    transit.begin();
    try {
      return open().read(buffer, offset, length);
    } catch (IOException | RuntimeException e) {
      throw new ProblemException(problem(e));
    } finally {
      transit.end();
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

  private Problem problem(Exception failure) {
    if (failure instanceof RequestException refusal) {
      return UnreadableRequests.problem(refusal.status().code(), refusal.getMessage())
          .header("Connection", "close");
    }
    boolean slow = transit.isCut();
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
