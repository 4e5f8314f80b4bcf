package dev.partita.validate.faults;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * A copy of a running server's data directory, of which a standby can be made: what pg_basebackup
 * does, by the functions that it uses itself. The log that the copy needs is fetched by the
 * standby.
 */
final class BaseBackup {

  /** Made anew by every server, or of this one alone. */
  private static final Set<String> LEFT_EMPTY =
      Set.of(
          "pg_wal",
          "pg_replslot",
          "pg_dynshmem",
          "pg_notify",
          "pg_serial",
          "pg_snapshots",
          "pg_stat_tmp",
          "pg_subtrans");

  private static final Set<String> LEFT_OUT =
      Set.of(
          "postmaster.pid",
          "postmaster.opts",
          "standby.signal",
          "backup_label",
          "backup_label.old",
          "tablespace_map",
          "tablespace_map.old",
          "pg_internal.init");

  private BaseBackup() {}

  /**
   * Takes one.
   *
   * @param superuser a connection to the server that is copied
   * @param source its data directory
   * @param target the copy, which does not exist yet
   */
  static void take(Connection superuser, Path source, Path target)
      throws IOException, SQLException {
    try (Statement statement = superuser.createStatement()) {
      statement.execute("SELECT pg_backup_start('partita-validate', true)");
      copy(source, target);
      try (ResultSet row =
          statement.executeQuery("SELECT labelfile, spcmapfile FROM pg_backup_stop(false)")) {
        row.next();
        write(target, "backup_label", row.getString(1));
        if (!row.getString(2).isBlank()) {
          write(target, "tablespace_map", row.getString(2));
        }
      }
      write(target, "standby.signal", "");
    }
  }

  /** Writes a file that belongs to whom the data belong to. */
  static void write(Path data, String name, String text) throws IOException {
    Path file = data.resolve(name);
    Files.copy(
        data.resolve("PG_VERSION"),
        file,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(file, text);
  }

  private static void copy(Path source, Path target) throws IOException {
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            return copyIfThere(directory, target.resolve(source.relativize(directory)))
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (isWanted(source.relativize(file))) {
              copyIfThere(file, target.resolve(source.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }

  private static boolean isWanted(Path file) {
    String name = file.getFileName().toString();
    if (LEFT_EMPTY.contains(file.getName(0).toString())) {
      return name.endsWith(".history");
    }
    return !LEFT_OUT.contains(name) && !name.startsWith("pgsql_tmp");
  }

  /** A file that goes while the copy is made is one that the log makes up for. */
  private static boolean copyIfThere(Path from, Path to) throws IOException {
    try {
      Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
      return true;
    } catch (NoSuchFileException e) {
      if (!Files.exists(to.getParent())) {
        throw e;
      }
      return false;
    }
  }
}
