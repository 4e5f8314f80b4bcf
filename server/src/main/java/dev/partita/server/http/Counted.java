package dev.partita.server.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that counts what is read from it. */
final class Counted extends FilterInputStream {

  private long count;

  Counted(InputStream in) {
    super(in);
  }

  long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    int read = in.read();
    count += read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = in.read(buffer, offset, length);
    count += Math.max(0, read);
    return read;
  }
}
