package dev.partita.cli.archive;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The file of an export. It appears under its name only when it is complete and on the disk; until
 * then it is beside it with the ending {@code .part}.
 */
public final class ArchiveFile implements AutoCloseable {

  /** Its name in a directory. */
  private static final String NAME = "ledger.jsonl";

  private final Path target;
  private final Path part;
  private final FileChannel channel;
  private final Writer writer;
  private boolean complete;

  private ArchiveFile(Path target, Path part, FileChannel channel, Writer writer) {
    this.target = target;
    this.part = part;
    this.channel = channel;
    this.writer = writer;
  }

  /** The file that an argument means: itself, or the one in the directory that it names. */
  public static Path resolve(String option, String name) {
    try {
      Path path = Path.of(name);
      return name.endsWith("/") || Files.isDirectory(path) ? path.resolve(NAME) : path;
    } catch (InvalidPathException e) {
      throw new MisuseException(option, Text.quote(name) + " is not the name of a file");
    }
  }

  /**
   * Begins a file.
   *
   * @throws MisuseException if it is there already or cannot be created
   */
  public static ArchiveFile create(Path target) {
    if (Files.exists(target)) {
      throw new MisuseException(
          "FILE", Text.visible(target.toString()) + " is there already; name another file");
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try {
      Path directory = target.getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING);
      return new ArchiveFile(
          target, part, channel, writer(keptOpen(channel), target.toString().endsWith(".gz")));
    } catch (IOException e) {
      throw new MisuseException(
          "FILE", "cannot create " + Text.visible(part.toString()) + ": " + e.getMessage());
    }
  }

  /** A writer to any stream, UTF-8, compressed if wanted. */
  public static Writer writer(OutputStream stream, boolean gzip) throws IOException {
    OutputStream buffered = new BufferedOutputStream(stream, 1 << 16);
    return new BufferedWriter(
        new OutputStreamWriter(
            gzip ? new GZIPOutputStream(buffered, 1 << 16) : buffered, StandardCharsets.UTF_8));
  }

  /** Where to write. */
  public Writer writer() {
    return writer;
  }

  /** Puts the file on the disk and gives it its name. */
  public void complete() throws IOException {
    writer.close();
    channel.force(true);
    channel.close();
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    complete = true;
  }

  /** Removes what was not completed. */
  @Override
  public void close() throws IOException {
    if (!complete) {
      channel.close();
      Files.deleteIfExists(part);
    }
  }

  /** The writer's end must not close the channel: it still has to be forced to the disk. */
  private static OutputStream keptOpen(FileChannel channel) {
    return new FilterOutputStream(Channels.newOutputStream(channel)) {
      @Override
      public void write(byte @Nullable [] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        flush();
      }
    };
  }
}
