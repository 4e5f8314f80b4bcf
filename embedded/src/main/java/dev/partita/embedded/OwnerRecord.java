package dev.partita.embedded;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Says that a directory is ours and finished, and which cluster belongs into it.
 *
 * @param postgresMajor the major version of PostgreSQL that wrote the data; another one cannot read
 *     them
 * @param systemIdentifier the number that PostgreSQL drew for this cluster
 */
record OwnerRecord(int postgresMajor, long systemIdentifier) {

  /** Raised when the layout of the directory changes so that older releases must keep out. */
  private static final int FORMAT = 1;

  void write(Path file) throws IOException {
    DurableFiles.write(
        file,
        """
        # This directory belongs to Partita's embedded PostgreSQL. Deleting this file makes the
        # ledger in it unusable.
        format=%d
        postgresMajor=%d
        systemIdentifier=%s
        """
            .formatted(FORMAT, postgresMajor, Long.toUnsignedString(systemIdentifier)));
  }

  static OwnerRecord read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    try {
      int format = Integer.parseInt(required(properties, "format"));
      if (format > FORMAT) {
        throw Failures.misuse(
            file.getParent()
                + " was laid out by a newer Partita (format "
                + format
                + ", this one knows up to "
                + FORMAT
                + "). Use that version, or a newer one.");
      }
      return new OwnerRecord(
          Integer.parseInt(required(properties, "postgresMajor")),
          Long.parseUnsignedLong(required(properties, "systemIdentifier")));
    } catch (IllegalArgumentException e) {
      throw Failures.corruption(
          file + " cannot be read (" + e.getMessage() + "). Restore the directory from a backup.",
          e);
    }
  }

  private static String required(Properties properties, String key) {
    String value = properties.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }
}
