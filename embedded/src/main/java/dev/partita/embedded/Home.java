package dev.partita.embedded;

import dev.partita.MisuseException;
import dev.partita.embedded.HostSystem.Account;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The directory and its layout.
 *
 * <pre>
 * partita.properties      the owner record, written last: without it the directory is not finished
 * partita.credentials     the passwords, for the owner only
 * partita.lock            locked while a process uses the directory; names that process
 * partita.initializing    exists only while the directory is being made
 * initializing-…          a cluster being made, renamed to postgres when it is complete
 * postgres/               PostgreSQL's own data directory
 * postgres.log            what the server says, and postgres.log.1, what it said before
 * </pre>
 */
record Home(Path directory) {

  private static final String INITIALIZING_PREFIX = "initializing-";
  private static final String LOCK_NAME = "partita.lock";
  private static final int NAMES_SHOWN_MAX = 5;

  /** What a look into the directory says. */
  enum State {
    /** Nothing there: to be made. */
    EMPTY,
    /** Ours, and never finished: to be made afresh. No server ever ran in it. */
    HALF_MADE,
    /** Ours and complete. */
    COMPLETE
  }

  Path record() {
    return directory.resolve("partita.properties");
  }

  Path credentials() {
    return directory.resolve("partita.credentials");
  }

  Path lock() {
    return directory.resolve(LOCK_NAME);
  }

  Path initializingMarker() {
    return directory.resolve("partita.initializing");
  }

  Path newClusterDirectory(String suffix) {
    return directory.resolve(INITIALIZING_PREFIX + suffix);
  }

  Path data() {
    return directory.resolve("postgres");
  }

  Path log() {
    return directory.resolve("postgres.log");
  }

  Path controlFile() {
    return data().resolve("global").resolve("pg_control");
  }

  /** Creates the directory if it does not exist, for nobody else to enter. */
  static Home create(Path directory) {
    try {
      if (!Files.isDirectory(directory)) {
        Path parent = directory.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        createClosed(directory);
      }
      return new Home(directory.toRealPath());
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static void createClosed(Path directory) throws IOException {
    try {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  static MisuseException unusable(Path directory, IOException cause) {
    String who = "this program runs as user " + System.getProperty("user.name");
    String what =
        switch (cause) {
          case AccessDeniedException denied -> "permission denied for " + denied.getFile();
          case FileAlreadyExistsException exists -> exists.getFile() + " is a file";
          case NoSuchFileException missing -> missing.getFile() + " does not exist";
          default -> String.valueOf(cause.getMessage());
        };
    return Failures.misuse(
        "The directory "
            + directory
            + " cannot be used: "
            + what
            + " ("
            + who
            + "). Choose a directory this user can write to, or start as the user it belongs to.",
        cause);
  }

  /** Looks, and touches nothing. Refuses a directory that is not ours, or not ours to use. */
  State examine(HostSystem host) throws IOException {
    Set<String> names = names();
    if (names.contains(record().getFileName().toString())) {
      checkOwner(host);
      return State.COMPLETE;
    }
    if (names.contains(initializingMarker().getFileName().toString())) {
      checkOwner(host);
      return State.HALF_MADE;
    }
    names.remove(LOCK_NAME);
    names.remove("lost+found");
    if (!names.isEmpty()) {
      throw foreign(names);
    }
    checkOwner(host);
    return State.EMPTY;
  }

  private Set<String> names() throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    }
    return names;
  }

  private MisuseException foreign(Set<String> names) {
    String shown =
        new TreeSet<>(names).stream().limit(NAMES_SHOWN_MAX).collect(Collectors.joining(", "));
    String more =
        names.size() > NAMES_SHOWN_MAX ? " and " + (names.size() - NAMES_SHOWN_MAX) + " more" : "";
    String advice =
        names.contains("PG_VERSION")
            ? "It is the data directory of a PostgreSQL server. Start that server and give Partita its JDBC URL, or"
                + " choose an empty directory."
            : "Choose an empty directory, or one that does not exist yet.";
    return Failures.misuse(
        "The directory "
            + directory
            + " is not empty and was not made by Partita (it holds "
            + shown
            + more
            + "). Nothing in it was changed. "
            + advice);
  }

  /**
   * Root working in a directory of someone else could be led anywhere by links that this user
   * places there.
   */
  private void checkOwner(HostSystem host) throws IOException {
    Account owner = HostSystem.ownerOf(directory);
    if (host.isRoot() && owner.uid() != host.userId()) {
      throw Failures.misuse(
          "The directory "
              + directory
              + " belongs to account number "
              + owner.uid()
              + " and this program runs as root. Start it as that account, or give the directory itself"
              + " (not what is in it) to root.");
    }
  }

  /**
   * The record of a complete directory, checked against the data and against the programs at hand.
   */
  OwnerRecord checkedRecord(Binaries binaries) throws IOException {
    OwnerRecord record = OwnerRecord.read(record());
    Path versionFile = data().resolve("PG_VERSION");
    if (!Files.exists(versionFile)
        || !Files.exists(controlFile())
        || !Files.exists(credentials())) {
      throw Failures.corruption(
          "The directory "
              + directory
              + " is Partita's, but files of its database are missing ("
              + data()
              + " or "
              + credentials()
              + "). Is a volume not mounted? Else restore it from a backup.");
    }
    String version = Files.readString(versionFile).strip();
    if (!version.equals(Integer.toString(binaries.major()))) {
      throw Failures.misuse(
          "The data in "
              + directory
              + " were written by PostgreSQL "
              + version
              + " and this Partita brings "
              + binaries.version()
              + ", which cannot read them. Nothing was changed. Start the Partita"
              + " release that made the directory, export the ledger with it, and import the export into"
              + " a new directory with this one.");
    }
    long found = systemIdentifier(data());
    if (record.postgresMajor() != binaries.major() || found != record.systemIdentifier()) {
      throw Failures.corruption(
          "The data in "
              + data()
              + " are not those that "
              + record()
              + " was written for (system identifier "
              + Long.toUnsignedString(found)
              + " instead of "
              + Long.toUnsignedString(record.systemIdentifier())
              + "). Restore both from the same backup.");
    }
    return record;
  }

  /** The first field of the control file, which PostgreSQL writes in this machine's byte order. */
  static long systemIdentifier(Path dataDirectory) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    Path file = dataDirectory.resolve("global").resolve("pg_control");
    try (FileChannel channel = FileChannel.open(file)) {
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Until the field is complete.
      }
    }
    if (bytes.hasRemaining()) {
      throw Failures.corruption(file + " is too short. Restore the directory from a backup.");
    }
    return bytes.flip().getLong();
  }

  /**
   * Removes what a start that was killed while making a cluster left behind. An initdb that
   * survived that start may still be writing: what cannot be deleted now is left to a later start.
   */
  void deleteUnfinishedClusters() {
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(directory, INITIALIZING_PREFIX + "*")) {
      for (Path entry : entries) {
        DurableFiles.deleteTree(entry);
      }
    } catch (IOException e) {
      System.getLogger(Home.class.getName())
          .log(System.Logger.Level.INFO, "an unfinished database remains in " + directory, e);
    }
  }
}
