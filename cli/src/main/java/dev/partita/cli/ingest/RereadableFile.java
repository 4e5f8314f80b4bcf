package dev.partita.cli.ingest;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file to read more than once. Standard input and pipes are copied to a temporary file first,
 * which only this user may read.
 */
public final class RereadableFile implements AutoCloseable {

  private final String name;
  private final String path;
  private final @Nullable Path copy;

  private RereadableFile(String name, String path, @Nullable Path copy) {
    this.name = name;
    this.path = path;
    this.copy = copy;
  }

  /**
   * Makes sure that a file can be read.
   *
   * @param standardInput what {@code -} stands for
   * @throws dev.partita.MisuseException if it cannot be read, saying why
   */
  public static RereadableFile open(String name, InputStream standardInput) {
    try (InputFile first = InputFile.open(name, standardInput)) {
      if (isRegularFile(name)) {
        return new RereadableFile(first.name(), name, null);
      }
      Path copy = Files.createTempFile("partita-import-", ".jsonl");
      copy.toFile().deleteOnExit();
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(copy))) {
        first.copyTo(out);
      }
      return new RereadableFile(first.name(), copy.toString(), copy);
    } catch (IOException e) {
      throw InputFile.unreadable(name, e);
    }
  }

  /** What to call it in messages. */
  public String name() {
    return name;
  }

  /** Begins a reading, which its reader's end ends. */
  public InputFile open() {
    return InputFile.open(path, InputStream.nullInputStream());
  }

  @Override
  public void close() {
    if (copy != null) {
      try {
        Files.deleteIfExists(copy);
      } catch (IOException e) {
        throw InputFile.unreadable(copy.toString(), e);
      }
    }
  }

  private static boolean isRegularFile(String name) {
    try {
      return !name.equals("-") && Files.isRegularFile(Path.of(name));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
