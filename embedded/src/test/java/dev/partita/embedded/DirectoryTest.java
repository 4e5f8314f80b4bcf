package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start makes of the directory it is given. */
class DirectoryTest {

  @TempDir(factory = OpenTempDirectory.class)
  Path parent;

  private static void start(Path directory) {
    EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory)).close();
  }

  private static List<String> listing(Path directory) throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void leavesADirectoryThatIsNotOursAsItIs() throws Exception {
    Path directory = Files.createDirectory(parent.resolve("photos"));
    Files.writeString(directory.resolve("cat.jpg"), "miaow");
    List<String> before = listing(directory);

    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("was not made by Partita (it holds cat.jpg)")
        .hasMessageContaining("Choose an empty directory");
    assertThat(listing(directory)).isEqualTo(before);
  }

  @Test
  void leavesTheDataOfAnotherServerAsTheyAre() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger")).resolve("postgres");
    List<String> before = listing(directory);

    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("It is the data directory of a PostgreSQL server. Start that server");
    assertThat(listing(directory)).isEqualTo(before);
  }

  @Test
  void refusesAFileInPlaceOfADirectory() throws Exception {
    Path file = Files.writeString(parent.resolve("file"), "");
    assertThatThrownBy(() -> start(file))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("is a file");
    assertThatThrownBy(() -> start(file.resolve("below"))).isInstanceOf(MisuseException.class);
  }

  @Test
  void refusesDataOfAnotherMajorVersionAndSaysHowToMoveThem() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Files.writeString(directory.resolve("postgres/PG_VERSION"), "17\n");
    List<String> before = listing(directory.resolve("postgres"));

    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("were written by PostgreSQL 17 and this Partita brings 18.")
        .hasMessageContaining(
            "export the ledger with it, and import the export into a new directory");
    assertThat(listing(directory.resolve("postgres"))).isEqualTo(before);
  }

  @Test
  void refusesALayoutFromTheFuture() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Files.writeString(directory.resolve("partita.properties"), "format=2\n");
    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("was laid out by a newer Partita");
  }

  @Test
  void neverMakesANewDatabaseInPlaceOfAMissingOne() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Files.move(directory.resolve("postgres"), parent.resolve("elsewhere"));
    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("files of its database are missing")
        .hasMessageContaining("Is a volume not mounted?");
    assertThat(directory.resolve("postgres")).doesNotExist();
  }

  @Test
  void refusesDataThatAreNotThoseOfTheRecord() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Files.writeString(
        directory.resolve("partita.properties"),
        "format=1\npostgresMajor=18\nsystemIdentifier=7\n");
    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("instead of 7")
        .hasMessageContaining("Restore both from the same backup");
  }

  @Test
  void refusesADamagedRecord() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Files.writeString(directory.resolve("partita.properties"), "format=one\n");
    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("partita.properties cannot be read");
  }

  @Test
  void beginsAfreshWhenTheFirstStartWasKilledHalfWay() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Home home = new Home(directory);
    String oldRecord = Files.readString(home.record());
    // The state just before the end: everything is in place but the record.
    Files.delete(home.record());
    Files.writeString(home.initializingMarker(), "");
    Files.createDirectories(home.newClusterDirectory("0123").resolve("base"));

    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      assertThat(Sql.value(server.owner(), "SELECT count(*) FROM pg_class WHERE relname = 'notes'"))
          .isEqualTo("0");
    }
    assertThat(Files.readString(home.record())).isNotEqualTo(oldRecord);
    assertThat(home.initializingMarker()).doesNotExist();
    assertThat(home.newClusterDirectory("0123")).doesNotExist();
  }

  @Test
  void keepsTheDataWhenTheFirstStartWasKilledAfterItsLastStep() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Home home = new Home(directory);
    Files.writeString(home.initializingMarker(), "");

    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      assertThat(Sql.value(server.application(), "SELECT count(*) FROM notes")).isEqualTo("0");
    }
    assertThat(home.initializingMarker()).doesNotExist();
  }

  @Test
  void survivesAKillAtAnyMomentOfTheFirstStart() throws Exception {
    Path directory = parent.resolve("ledger");
    for (String moment : List.of("partita.initializing", "initializing-")) {
      try (ChildJvm child = ChildJvm.start(ServeMain.class, directory, "close")) {
        org.awaitility.Awaitility.await()
            .pollInterval(java.time.Duration.ofMillis(2))
            .atMost(java.time.Duration.ofSeconds(60))
            .until(
                () ->
                    Files.isDirectory(directory)
                        && listing(directory).stream()
                            .anyMatch(name -> name.contains("/" + moment)));
        child.kill();
      }
      assertThat(directory.resolve("partita.properties")).doesNotExist();
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      Sql.execute(server.owner(), Templates.TABLE);
    }
  }
}
