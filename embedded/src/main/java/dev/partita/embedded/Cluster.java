package dev.partita.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.postgresql.util.PasswordUtil;

/**
 * Makes a new cluster with its roles and its database.
 *
 * <p>It is made under a name of its own and gets the name {@code postgres} when nothing remains to
 * be done, so a process killed in between, and an initdb that survives it, can disturb nobody.
 * Roles and database are created in PostgreSQL's single-user mode: no port is open before there are
 * passwords.
 */
final class Cluster {

  static final String DATABASE = "partita";

  /** As containers like to start programs; only making a database needs the name. */
  private static final String NAMELESS_ACCOUNT = "could not look up effective user ID";

  private static final String HBA =
      """
      # Every user of this machine can reach the port, so everyone needs a password.
      # TYPE  DATABASE  USER  ADDRESS       METHOD
      host    all       all   127.0.0.1/32  scram-sha-256
      """;

  private final Home home;
  private final Binaries binaries;
  private final ServerUser user;
  private final Duration timeout;

  Cluster(Home home, Binaries binaries, ServerUser user, Duration timeout) {
    this.home = home;
    this.binaries = binaries;
    this.user = user;
    this.timeout = timeout;
  }

  /**
   * Starts from nothing; what an unfinished attempt left is removed. The caller holds the
   * directory's lock.
   */
  void make() throws IOException {
    if (!Files.exists(home.initializingMarker())) {
      Files.createFile(home.initializingMarker());
      DurableFiles.syncDirectory(home.directory());
    }
    user.letPass(home.directory());
    DurableFiles.deleteTree(home.data());
    Path directory =
        home.newClusterDirectory(
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()));
    Files.createDirectory(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    user.own(directory);
    user.checkReach(directory, binaries.postgres());

    Credentials credentials = Credentials.random();
    initdb(directory);
    createRolesAndDatabase(directory, credentials);
    Path hba = directory.resolve("pg_hba.conf");
    Files.writeString(hba, HBA);
    DurableFiles.sync(hba);

    OwnerRecord record = new OwnerRecord(binaries.major(), Home.systemIdentifier(directory));
    credentials.write(home.credentials());
    DurableFiles.move(directory, home.data());
    record.write(home.record());
    Files.delete(home.initializingMarker());
    DurableFiles.syncDirectory(home.directory());
  }

  private void initdb(Path directory) throws IOException {
    run(
        List.of(
            binaries.initdb().toString(),
            "--pgdata=" + directory,
            "--username=" + Credentials.SUPERUSER,
            // Nobody may connect until our own pg_hba.conf is in place.
            "--auth=reject",
            "--data-checksums",
            "--encoding=UTF8",
            // Sorts by code point on every machine: the C library's order changes with its version,
            // and
            // indexes with it.
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--no-instructions"),
        "");
  }

  private void createRolesAndDatabase(Path directory, Credentials credentials) throws IOException {
    List<String> statements = new ArrayList<>();
    statements.add("ALTER ROLE postgres PASSWORD " + verifier(credentials.superuserPassword()));
    statements.add(
        "CREATE ROLE partita_owner LOGIN PASSWORD " + verifier(credentials.ownerPassword()));
    statements.add(
        "CREATE ROLE partita_app LOGIN PASSWORD " + verifier(credentials.applicationPassword()));
    // To tell who holds the oldest snapshot, and to measure from a known point.
    statements.add("GRANT pg_read_all_stats TO partita_owner, partita_app");
    statements.add("GRANT pg_checkpoint TO partita_owner");
    statements.add("CREATE DATABASE " + DATABASE + " OWNER partita_owner");
    statements.add("REVOKE ALL ON DATABASE " + DATABASE + ", postgres, template1 FROM PUBLIC");
    statements.add("GRANT CONNECT, TEMPORARY ON DATABASE " + DATABASE + " TO partita_app");
    run(
        List.of(
            binaries.postgres().toString(),
            "--single",
            "-D",
            directory.toString(),
            "-c",
            "exit_on_error=on",
            "-c",
            "log_min_error_statement=panic",
            "postgres"),
        String.join(";\n", statements) + ";\n");
  }

  /**
   * What the server stores instead of the password, so that the password itself is never sent or
   * logged.
   */
  private static String verifier(String password) {
    return "'" + PasswordUtil.encodeScramSha256(password.toCharArray()) + "'";
  }

  private void run(List<String> command, String input) throws IOException {
    Commands.Result result = Commands.run(user.command(command), input, timeout);
    if (result.isSuccess()) {
      return;
    }
    if (result.output().contains(NAMELESS_ACCOUNT)) {
      throw Failures.misuse(
          "PostgreSQL asks for the name of the account it runs as, and this one has only a number ("
              + result.output().strip()
              + "). In a container image, add the account to /etc/passwd; or start as one that has a"
              + " name.");
    }
    throw Failures.unavailable(
        "Making the database in "
            + home.directory()
            + " failed ("
            + Path.of(command.getFirst()).getFileName()
            + " ended with code "
            + result.exitCode()
            + "). The next start begins anew. It said:\n"
            + result.output().strip());
  }
}
