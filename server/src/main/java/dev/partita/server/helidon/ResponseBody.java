package dev.partita.server.helidon;

import dev.partita.server.http.HttpHandler.ConnectionLostException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends a body: one that fits into the buffer in one piece and with its length, a longer one as it
 * comes, in chunks; a stream in chunks from its first byte, sent when it is flushed. As long as
 * nothing was sent the response can still become another one.
 */
final class ResponseBody extends OutputStream {

  private static final int BUFFER_BYTES_MAX = 64 << 10;
  private static final int BUFFER_BYTES_FIRST = 1 << 10;

  private final ServerResponse response;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(BUFFER_BYTES_FIRST);
  private final Transit transit;
  private final boolean stream;
  private @Nullable OutputStream chunks;

  ResponseBody(ServerResponse response, BodyWatch watch, boolean stream) {
    this.response = response;
    this.transit = new Transit(watch);
    this.stream = stream;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (chunks == null && !stream && buffer.size() + length <= BUFFER_BYTES_MAX) {
      buffer.write(bytes, offset, length);
      return;
    }
    transit.begin();
    try {
      if (chunks == null) {
        chunks = response.outputStream();
        chunks.write(buffer.toByteArray());
      }
      chunks.write(bytes, offset, length);
    } catch (IOException | RuntimeException e) {
      throw new ConnectionLostException(e);
    } finally {
      transit.end();
    }
  }

  /** Sends what there is of a stream; anything else is sent as it fits best. */
  @Override
  public void flush() {
    if (!stream || chunks == null) {
      return;
    }
    transit.begin();
    try {
      chunks.flush();
    } catch (IOException | RuntimeException e) {
      throw new ConnectionLostException(e);
    } finally {
      transit.end();
    }
  }

  /** Whether something was sent already, so that it is too late for another response. */
  boolean isSending() {
    return chunks != null;
  }

  /** Sends what is left and ends the response. */
  void finish() {
    transit.begin();
    try {
      if (chunks == null) {
        response.send(buffer.toByteArray());
      } else {
        chunks.close();
      }
    } catch (IOException | RuntimeException e) {
      throw new ConnectionLostException(e);
    } finally {
      transit.end();
    }
  }

  /** Leaves the response incomplete, so that the client sees that it is. */
  static ConnectionLostException cut(Throwable failure) {
    return new ConnectionLostException(
        new CloseConnectionException("the response could not be completed", failure));
  }
}
