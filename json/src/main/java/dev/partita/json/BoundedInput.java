package dev.partita.json;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that refuses to be longer than it may. */
final class BoundedInput extends FilterInputStream {

  private final long bytesMax;
  private long bytesRead;

  BoundedInput(InputStream in, long bytesMax) {
    super(in);
    this.bytesMax = bytesMax;
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    if (read >= 0) {
      count(1);
    }
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = super.read(buffer, offset, length);
    if (read > 0) {
      count(read);
    }
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = super.skip(bytes);
    count(skipped);
    return skipped;
  }

  private void count(long bytes) {
    bytesRead += bytes;
    if (bytesRead > bytesMax) {
      throw new JsonProblemException(
          JsonProblemException.TOO_LARGE,
          "",
          "the document is larger than " + bytesMax + " bytes; split it, or ask for less");
    }
  }
}
