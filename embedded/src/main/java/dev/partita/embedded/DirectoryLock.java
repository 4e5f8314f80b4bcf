package dev.partita.embedded;

import dev.partita.UnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One user of a directory at a time. The operating system drops the lock when the process ends,
 * however it ends.
 *
 * <p>The lock is a POSIX one, with a trap: closing <em>any</em> channel on the file releases the
 * locks that this process holds on it. So a second attempt in the same JVM must not open and close
 * the file: it is turned away by a table before it opens anything, or, when another class loader
 * has its own copy of that table, its channel stays open for good.
 */
final class DirectoryLock implements AutoCloseable {

  private static final Set<Path> HELD_IN_THIS_JVM = ConcurrentHashMap.newKeySet();
  private static final Queue<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();
  private static final int HOLDER_BYTES_MAX = 200;

  private final Path directory;
  private final FileChannel channel;
  private final FileLock lock;

  private DirectoryLock(Path directory, FileChannel channel, FileLock lock) {
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Locks at once or fails with the name of the holder. The home's directory is a real path,
   * without links.
   */
  static DirectoryLock acquire(Home home) {
    Path directory = home.directory();
    if (!HELD_IN_THIS_JVM.add(directory)) {
      throw inUse(directory, "by this very process, pid " + ProcessHandle.current().pid());
    }
    boolean isLocked = false;
    try {
      DirectoryLock lock = lock(home);
      isLocked = true;
      return lock;
    } catch (IOException e) {
      throw Home.unusable(directory, e);
    } finally {
      if (!isLocked) {
        HELD_IN_THIS_JVM.remove(directory);
      }
    }
  }

  @SuppressWarnings(
      "resource") // closed by close(), by the failure path below, or, for the reason above, never
  private static DirectoryLock lock(Home home) throws IOException {
    FileChannel channel =
        FileChannel.open(
            home.lock(),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    boolean mayClose = true;
    boolean isLocked = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(home.directory(), "by another process, " + holder(channel));
      }
      writeHolder(channel);
      isLocked = true;
      return new DirectoryLock(home.directory(), channel, lock);
    } catch (OverlappingFileLockException e) {
      mayClose = false;
      NEVER_CLOSED.add(channel);
      throw inUse(home.directory(), "by this very process, pid " + ProcessHandle.current().pid());
    } finally {
      if (!isLocked && mayClose) {
        channel.close();
      }
    }
  }

  private static UnavailableException inUse(Path directory, String holder) {
    return Failures.unavailable(
        "The directory "
            + directory
            + " is in use "
            + holder
            + ". Stop that one first, or give this one a directory of its own.");
  }

  private static void writeHolder(FileChannel channel) throws IOException {
    channel.truncate(0);
    DurableFiles.writeFully(
        channel,
        "pid "
            + ProcessHandle.current().pid()
            + ", since "
            + Instant.now().truncatedTo(ChronoUnit.SECONDS)
            + "\n");
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HOLDER_BYTES_MAX);
    channel.read(bytes, 0);
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    return text.isEmpty() ? "which has just taken it" : text;
  }

  @Override
  public void close() {
    try (channel) {
      lock.release();
    } catch (IOException e) {
      // The end of the process releases it; until then a new start says that this process holds it.
      System.getLogger(DirectoryLock.class.getName())
          .log(System.Logger.Level.WARNING, "cannot release the lock on " + directory, e);
      return;
    }
    HELD_IN_THIS_JVM.remove(directory);
  }
}
