package dev.partita.embedded;

import dev.partita.embedded.HostSystem.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The account the server runs as: our own, or, as PostgreSQL refuses to run as root, an
 * unprivileged one that root steps down to.
 */
final class ServerUser {

  private static final Duration TOOL_TIMEOUT = Duration.ofSeconds(10);
  private static final List<String> USUAL_ACCOUNTS = List.of("postgres", "nobody");

  private final Optional<Account> account;
  private final List<String> commandPrefix;

  private ServerUser(Optional<Account> account, List<String> commandPrefix) {
    this.account = account;
    this.commandPrefix = commandPrefix;
  }

  /** Chooses the account; existing data keeps its owner, also when better accounts appear later. */
  static ServerUser choose(HostSystem host, Path dataDirectory, Optional<String> configured)
      throws IOException {
    if (!host.isRoot()) {
      return new ServerUser(Optional.empty(), List.of());
    }
    Optional<Account> wanted = configured.map(name -> named(host, name));
    Account chosen;
    if (Files.exists(dataDirectory)) {
      chosen = ownerOfExisting(dataDirectory, wanted);
    } else {
      chosen =
          wanted
              .or(
                  () ->
                      USUAL_ACCOUNTS.stream()
                          .flatMap(name -> host.account(name).stream())
                          .findFirst())
              .orElseThrow(
                  () ->
                      Failures.misuse(
                          "PostgreSQL refuses to run as root, and there is no account "
                              + USUAL_ACCOUNTS
                              + " to run it as. Start this program as an ordinary user, or name an account with"
                              + " serverUser."));
    }
    return new ServerUser(Optional.of(chosen), workingDrop(host, chosen));
  }

  private static Account named(HostSystem host, String name) {
    Account account =
        host.account(name)
            .orElseThrow(
                () ->
                    Failures.misuse(
                        "serverUser: there is no account " + name + " on this machine."));
    if (account.uid() == 0) {
      throw Failures.misuse("serverUser: PostgreSQL refuses to run as root. Name another account.");
    }
    return account;
  }

  private static Account ownerOfExisting(Path dataDirectory, Optional<Account> wanted)
      throws IOException {
    Account owner = HostSystem.ownerOf(dataDirectory);
    if (owner.uid() == 0) {
      throw Failures.misuse(
          dataDirectory
              + " belongs to root, as which PostgreSQL refuses to run; was it copied? Give it to"
              + " the account it belonged to: chown -R ACCOUNT: '"
              + dataDirectory
              + "'");
    }
    if (wanted.isPresent() && wanted.get().uid() != owner.uid()) {
      throw Failures.misuse(
          dataDirectory
              + " belongs to account number "
              + owner.uid()
              + ", and serverUser is number "
              + wanted.get().uid()
              + ". Leave serverUser out, or hand the data over with chown -R.");
    }
    return owner;
  }

  private static List<String> workingDrop(HostSystem host, Account account) throws IOException {
    List<String> failures = new ArrayList<>();
    for (List<String> drop : host.privilegeDrops(account.uid(), account.gid())) {
      List<String> command = new ArrayList<>(drop);
      command.addAll(List.of("id", "-u"));
      Commands.Result result = Commands.run(command, TOOL_TIMEOUT);
      if (result.isSuccess() && result.output().strip().equals(Long.toString(account.uid()))) {
        return drop;
      }
      failures.add(String.join(" ", command) + ": " + result.output().strip());
    }
    throw Failures.misuse(
        "PostgreSQL refuses to run as root, and stepping down to account number "
            + account.uid()
            + " failed (needs setpriv or chroot, and the right to change users): "
            + failures
            + ". Start this program as an ordinary user.");
  }

  /** The command as this account runs it. */
  List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>(commandPrefix);
    whole.addAll(command);
    return whole;
  }

  /** Hands a file or directory that we made over to this account. */
  void own(Path path) throws IOException {
    if (account.isPresent()) {
      HostSystem.changeOwner(path, account.get());
    }
  }

  /**
   * Makes the server's parent directory passable for this account, without letting it look around.
   */
  void letPass(Path directory) throws IOException {
    if (account.isPresent()) {
      var permissions = Files.getPosixFilePermissions(directory);
      if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
        Files.setPosixFilePermissions(directory, permissions);
      }
    }
  }

  /** Fails, with advice, if this account cannot get at the data or at the programs. */
  void checkReach(Path dataDirectory, Path program) throws IOException {
    if (account.isEmpty()) {
      return;
    }
    checkReach(
        dataDirectory,
        "-w",
        "put the ledger's directory under one that every user can enter, such as" + " /var/lib");
    checkReach(program, "-x", "set binariesCache to a directory that every user can enter");
  }

  private void checkReach(Path path, String test, String advice) throws IOException {
    Commands.Result result =
        Commands.run(
            command(List.of("/bin/sh", "-c", "test " + test + " \"$1\"", "sh", path.toString())),
            TOOL_TIMEOUT);
    if (!result.isSuccess()) {
      throw Failures.misuse(
          "This program runs as root and PostgreSQL, which refuses that, as account number "
              + account.orElseThrow().uid()
              + ", which cannot get at "
              + path
              + blockedAt(path)
              + ". Either "
              + advice
              + ", or start this program as an ordinary user.");
    }
  }

  private static String blockedAt(Path path) throws IOException {
    for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
      if (!Files.getPosixFilePermissions(parent).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        return " because " + parent + " is closed to other users";
      }
    }
    return "";
  }
}
