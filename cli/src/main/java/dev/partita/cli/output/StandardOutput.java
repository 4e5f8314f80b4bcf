package dev.partita.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of the process. Remembers why it could not be written: those who print to it are
 * not told. For use by one thread.
 */
public final class StandardOutput extends OutputStream {

  private static final int FILE_TYPE = 0170000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private final OutputStream stream = new FileOutputStream(FileDescriptor.out);
  private @Nullable IOException failure;

  /** Why something could not be written; null if all was. */
  public @Nullable IOException failure() {
    return failure;
  }

  /**
   * Whether somebody reads it at the other end, so that it fails only when they have gone. Not told
   * from the failure, which the system describes in its own language.
   */
  public boolean isPipe() {
    try {
      int mode = (Integer) Files.getAttribute(Path.of("/dev/stdout"), "unix:mode");
      return (mode & FILE_TYPE) == PIPE || (mode & FILE_TYPE) == SOCKET;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      stream.write(bytes, offset, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }
}
