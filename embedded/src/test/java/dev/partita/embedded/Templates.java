package dev.partita.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A finished ledger directory, made once per JVM: copying one is much quicker than initdb. */
final class Templates {

  static final String TABLE = "CREATE TABLE notes (id bigint PRIMARY KEY, text text NOT NULL)";

  private static Path template;

  private Templates() {}

  /**
   * Puts a directory at a path that does not exist; it was closed cleanly and holds the empty table
   * notes.
   */
  static synchronized Path copyTo(Path target) throws Exception {
    if (template == null) {
      Path parent = OpenTempDirectory.create();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteQuietly(parent)));
      Path directory = parent.resolve("ledger");
      try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
        Sql.execute(server.owner(), TABLE, "GRANT SELECT, INSERT ON notes TO partita_app");
      }
      template = directory;
    }
    int exitCode =
        new ProcessBuilder(List.of("cp", "-a", template.toString(), target.toString()))
            .inheritIO()
            .start()
            .waitFor();
    if (exitCode != 0) {
      throw new IllegalStateException("cp failed");
    }
    Files.deleteIfExists(new Home(target).lock());
    return target;
  }

  private static void deleteQuietly(Path directory) {
    try {
      DurableFiles.deleteTree(directory);
    } catch (java.io.IOException e) {
      System.getLogger("test").log(System.Logger.Level.WARNING, "cannot delete " + directory, e);
    }
  }
}
