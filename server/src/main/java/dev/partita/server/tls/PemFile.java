package dev.partita.server.tls;

import dev.partita.MisuseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a small file. */
final class PemFile {

  private static final int BYTES_MAX = 1 << 20;

  private PemFile() {}

  static String text(String field, Path file) {
    if (Files.isDirectory(file)) {
      throw new MisuseException(field, file + " is a directory; name a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new MisuseException(field, file + " is longer than 1 MiB; that is no PEM file");
      }
      // PEM is ASCII; whatever else stands around it is a comment.
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new MisuseException(field, "there is no file " + file);
    } catch (AccessDeniedException e) {
      throw new MisuseException(field, "this user may not read " + file);
    } catch (IOException e) {
      throw new MisuseException(field, file + " cannot be read: " + e.getMessage());
    }
  }
}
