package dev.partita.cli.ingest;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A file to read: UTF-8 with or without byte order mark, plain or gzip (told by its first bytes,
 * not by its name), or standard input as {@code -}.
 */
public final class InputFile implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  private final String name;
  private final InputStream stream;

  private InputFile(String name, InputStream stream) {
    this.name = name;
    this.stream = stream;
  }

  /**
   * Opens a file.
   *
   * @param standardInput what {@code -} stands for
   * @throws MisuseException if it cannot be read, saying why
   */
  public static InputFile open(String name, InputStream standardInput) {
    String shown = name.equals("-") ? "standard input" : name;
    try {
      InputStream raw = name.equals("-") ? standardInput : file(name);
      BufferedInputStream buffered = new BufferedInputStream(raw, BUFFER_BYTES);
      buffered.mark(2);
      boolean gzip = buffered.read() == 0x1F && buffered.read() == 0x8B;
      buffered.reset();
      return new InputFile(shown, gzip ? new WholeGzip(buffered) : buffered);
    } catch (IOException e) {
      throw unreadable(shown, e);
    }
  }

  /** What to call it in messages. */
  public String name() {
    return name;
  }

  /** Its text. Bytes that are not UTF-8 fail the reading; they are never replaced. */
  public Reader reader() {
    try {
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(
                  stream,
                  StandardCharsets.UTF_8
                      .newDecoder()
                      .onMalformedInput(CodingErrorAction.REPORT)
                      .onUnmappableCharacter(CodingErrorAction.REPORT)),
              BUFFER_BYTES);
      reader.mark(1);
      if (reader.read() != BYTE_ORDER_MARK) {
        reader.reset();
      }
      return reader;
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  /** Writes its bytes elsewhere, unpacked. */
  void copyTo(OutputStream out) throws IOException {
    stream.transferTo(out);
  }

  /** What an error while reading means. */
  public static MisuseException unreadable(String where, IOException e) {
    String why =
        switch (e) {
          case NoSuchFileException missing -> "there is no such file";
          case AccessDeniedException denied -> "you may not read it";
          case CharacterCodingException coding ->
              "it is not UTF-8; convert it, for example with iconv -t utf-8";
          case EOFException end -> "the compressed file ends too early; it was cut off";
          case ZipException zip -> "the compressed file is damaged (" + zip.getMessage() + ")";
          default -> String.valueOf(e.getMessage());
        };
    return new MisuseException("FILE", Text.visible(where) + ": " + why);
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  private static InputStream file(String name) throws IOException {
    try {
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        throw new MisuseException("FILE", Text.visible(name) + " is a directory");
      }
      return Files.newInputStream(path);
    } catch (InvalidPathException e) {
      throw new MisuseException("FILE", Text.quote(name) + " is not the name of a file");
    }
  }

  /**
   * Fails on what follows the compressed data: Java takes bytes that are no further member for the
   * end, without a word, and the rows in them would be lost.
   */
  private static final class WholeGzip extends GZIPInputStream {
    private static final int TRAILER_BYTES = 8;

    WholeGzip(InputStream raw) throws IOException {
      super(raw, BUFFER_BYTES);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      if (count < 0 && (inf.getRemaining() > TRAILER_BYTES || in.read() >= 0)) {
        throw new ZipException("what follows its end is not compressed");
      }
      return count;
    }
  }
}
