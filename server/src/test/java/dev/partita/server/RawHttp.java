package dev.partita.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A connection on which a test writes what no client would. */
final class RawHttp implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  RawHttp(URI server) {
    try {
      socket = new Socket(InetAddress.ofLiteral(server.getHost()), server.getPort());
      socket.setSoTimeout(TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends text as it is; what the server no longer takes is lost. */
  RawHttp send(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
    } catch (IOException _) {
      // The server answered and closed before all was sent; the answer is still to be read.
    }
    return this;
  }

  /** Says that nothing more will come. */
  RawHttp endOfInput() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Everything the server sends until it closes the connection. */
  String readAll() {
    StringBuilder all = new StringBuilder();
    byte[] buffer = new byte[8_192];
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        all.append(new String(buffer, 0, read, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      if (all.isEmpty()) {
        throw new UncheckedIOException(e);
      }
    }
    return all.toString();
  }

  /** What the server sends until a text has come, or until it closes the connection. */
  String readUntil(String text) {
    StringBuilder all = new StringBuilder();
    try {
      while (all.indexOf(text, Math.max(0, all.length() - text.length())) < 0) {
        int read = in.read();
        if (read < 0) {
          break;
        }
        all.append((char) read);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
