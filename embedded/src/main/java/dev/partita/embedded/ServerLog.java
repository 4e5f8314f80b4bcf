package dev.partita.embedded;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The file that the server's output goes to, kept below a bound: PostgreSQL's own collector can
 * start new files by size but never deletes one.
 */
final class ServerLog {

  private static final System.Logger LOGGER = System.getLogger(ServerLog.class.getName());

  /** Each of the two files; enough for months of checkpoints or a good while of errors. */
  static final long LOG_BYTES_MAX = 16L << 20;

  private static final int TAIL_BYTES_MAX = 8 << 10;
  private static final int TAIL_LINES_MAX = 15;

  private final Path file;

  ServerLog(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** Makes sure the file exists, for its owner only, and returns its length. */
  long prepare() throws IOException {
    bound(LOG_BYTES_MAX);
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return Files.size(file);
  }

  /**
   * Moves the content aside when the file has grown beyond the bound. The server keeps the file
   * open and appends, so the file is copied and emptied; a line written between these two steps is
   * lost, which a log may do.
   */
  void bound(long bytesMax) throws IOException {
    if (!Files.exists(file) || Files.size(file) <= bytesMax) {
      return;
    }
    Path previous = file.resolveSibling(file.getFileName() + ".1");
    Files.copy(
        file, previous, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }

  /** For the watching thread, which a full disk must not end. */
  void boundQuietly() {
    try {
      bound(LOG_BYTES_MAX);
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "the log of PostgreSQL cannot be kept small", e);
    }
  }

  /** The last lines, from an earlier length of the file on, for an error message. */
  String tail(long fromByte) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      long start = Math.max(size - TAIL_BYTES_MAX, fromByte <= size ? fromByte : 0);
      ByteBuffer bytes = ByteBuffer.allocate((int) (size - start));
      while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {
        // Until the end.
      }
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES_MAX), lines.size()));
    } catch (NoSuchFileException e) {
      return "(no log yet)";
    } catch (IOException e) {
      return "(" + file + " cannot be read: " + e.getMessage() + ")";
    }
  }
}
