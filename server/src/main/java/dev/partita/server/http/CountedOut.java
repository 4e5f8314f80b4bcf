package dev.partita.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/** A stream that counts what is written to it. */
final class CountedOut extends OutputStream {

  private final OutputStream out;
  private final LongConsumer counter;

  CountedOut(OutputStream out, LongConsumer counter) {
    this.out = out;
    this.counter = counter;
  }

  @Override
  public void write(int b) throws IOException {
    out.write(b);
    counter.accept(1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    counter.accept(length);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
