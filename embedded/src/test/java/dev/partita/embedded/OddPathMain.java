package dev.partita.embedded;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes, closes and reopens a ledger in a directory with an odd name. Arguments: parent, file that
 * holds the name.
 */
final class OddPathMain {

  private OddPathMain() {}

  public static void main(String[] args) throws Exception {
    String name = Files.readString(Path.of(args[1]));
    // The working directory is the root.
    Path relative = Path.of("/").relativize(Path.of(args[0], name));
    EmbeddedPostgresConfig config = EmbeddedPostgresConfig.in(relative);
    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      Sql.execute(server.owner(), Templates.TABLE, "INSERT INTO notes VALUES (1, 'kept')");
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      System.out.println("rows " + Sql.value(server.owner(), "SELECT count(*) FROM notes"));
    }
  }
}
