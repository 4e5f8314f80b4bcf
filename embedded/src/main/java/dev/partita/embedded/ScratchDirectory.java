package dev.partita.embedded;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A new directory for one run of something, gone with it. Servers can be made in it: unlike a
 * temporary directory it is open to the unprivileged user that a server may run as. Thread-safe.
 */
public final class ScratchDirectory implements AutoCloseable {

  private final Path parent;
  private final boolean madeParent;
  private final Path path;
  private volatile boolean kept;

  private ScratchDirectory(Path parent, boolean madeParent, Path path) {
    this.parent = parent;
    this.madeParent = madeParent;
    this.path = path;
  }

  /**
   * Makes one.
   *
   * @param parent where; made itself if it is not there, and then removed with this if nothing else
   *     is in it
   */
  public static ScratchDirectory make(Path parent) throws IOException {
    Path absolute = parent.toAbsolutePath();
    boolean madeParent = !Files.exists(absolute);
    Files.createDirectories(absolute);
    Path path =
        Files.createDirectory(absolute.resolve("run-" + Long.toString(System.nanoTime(), 36)));
    return new ScratchDirectory(absolute, madeParent, path);
  }

  /** Makes one where the system keeps temporary files. */
  public static ScratchDirectory make() throws IOException {
    return make(Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Leaves it where it is when this is closed, as evidence. */
  public void keep() {
    kept = true;
  }

  /** Removes it and all that is in it, without following links. */
  @Override
  public void close() throws IOException {
    if (kept) {
      return;
    }
    delete(path);
    if (madeParent) {
      try {
        Files.deleteIfExists(parent);
      } catch (DirectoryNotEmptyException e) {
        System.getLogger(ScratchDirectory.class.getName())
            .log(System.Logger.Level.DEBUG, "others use it too", e);
      }
    }
  }

  /** Removes a directory and all that is in it, without following links. */
  public static void delete(Path directory) throws IOException {
    DurableFiles.deleteTree(directory);
  }
}
