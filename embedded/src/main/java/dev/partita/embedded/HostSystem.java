package dev.partita.embedded;

import dev.partita.MisuseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * All that differs between operating systems. Linux is tested. macOS is written after its manuals
 * and not tested. Windows is refused: its server needs other ways to stop, to lock down files and
 * to shed privileges.
 */
final class HostSystem {

  private static final Duration TOOL_TIMEOUT = Duration.ofSeconds(10);
  private static final String SERVER_PROGRAM = "postgres";
  private static final Path SHARED_CACHE = Path.of("/var/cache/partita");
  private static final Path PROC = Path.of("/proc");

  /**
   * The ways to end a server that keep every commit. Never SIGKILL: it orphans the server's own
   * processes.
   */
  enum Signal {
    /** Ends all sessions, writes a checkpoint, stops. */
    FAST_SHUTDOWN("INT"),
    /** Stops at once; the next start recovers from the log. */
    IMMEDIATE_SHUTDOWN("QUIT");

    private final String posixName;

    Signal(String posixName) {
      this.posixName = posixName;
    }
  }

  private final String system;
  private final String processor;
  private final long userId;

  private HostSystem(String system, String processor, long userId) {
    this.system = system;
    this.processor = processor;
    this.userId = userId;
  }

  static HostSystem detect() {
    String system = system(System.getProperty("os.name", ""));
    String processor = processor(System.getProperty("os.arch", ""));
    return new HostSystem(system, processor, accountNumber("-u", Optional.empty()));
  }

  private static String system(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith("linux")) {
      return "linux";
    }
    if (lower.startsWith("mac")) {
      return "darwin";
    }
    throw Failures.misuse(
        "The embedded PostgreSQL does not run on "
            + name
            + ". Install PostgreSQL 15 to 18 and give Partita its JDBC URL.");
  }

  private static String processor(String name) {
    return switch (name) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64", "arm64" -> "arm_64";
      default -> name;
    };
  }

  /** Name of the archive in the artifact for this system. */
  String archiveName() {
    return "postgres-" + system + "-" + processor + ".txz";
  }

  boolean isRoot() {
    return userId == 0;
  }

  long userId() {
    return userId;
  }

  /**
   * Where to unpack programs, best place first. Root's must be open to the account that the server
   * runs as.
   */
  List<Path> cacheCandidates() {
    List<Path> candidates = new ArrayList<>();
    if (isRoot()) {
      candidates.add(SHARED_CACHE);
    } else {
      String configured = System.getenv("XDG_CACHE_HOME");
      String home = System.getProperty("user.home", "");
      if (configured != null && configured.startsWith("/")) {
        candidates.add(Path.of(configured, "partita"));
      } else if (home.startsWith("/")) {
        candidates.add(
            Path.of(home, system.equals("darwin") ? "Library/Caches" : ".cache", "partita"));
      }
    }
    candidates.add(
        Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "partita-cache-" + userId));
    if (!isRoot()) {
      // Not ours to write to, but root may have filled it, for example in a container image.
      candidates.add(SHARED_CACHE);
    }
    return candidates;
  }

  /** Settings without which a commit is not on the disk here. */
  Map<String, String> durabilitySettings() {
    // A plain fsync on macOS stops at the disk's own cache.
    return system.equals("darwin") ? Map.of("wal_sync_method", "fsync_writethrough") : Map.of();
  }

  /**
   * Wraps a command so that it leaves our session: Ctrl-C in the terminal, or its end, must reach
   * only the JVM, which then stops the server in its own time. Where {@code setsid} is missing the
   * command stays as it is.
   */
  List<String> detached(List<String> command) {
    Optional<Path> setsid = tool("setsid");
    if (setsid.isEmpty()) {
      return command;
    }
    List<String> detached = new ArrayList<>();
    detached.add(setsid.get().toString());
    detached.addAll(command);
    return detached;
  }

  /**
   * Command prefixes that run the rest as another user, best first. Both tools replace themselves
   * by the command, so the process we start is the server; {@code su} and {@code runuser} would
   * stand in between, and want a shell and PAM. setpriv is in util-linux, chroot in coreutils:
   * nearly every Linux has one of them.
   */
  List<List<String>> privilegeDrops(long uid, long gid) {
    List<List<String>> drops = new ArrayList<>();
    tool("setpriv")
        .ifPresent(
            path ->
                drops.add(
                    List.of(
                        path.toString(), "--reuid=" + uid, "--regid=" + gid, "--clear-groups")));
    tool("chroot")
        .ifPresent(
            path ->
                drops.add(
                    List.of(path.toString(), "--userspec=" + uid + ":" + gid, "--groups=", "/")));
    return drops;
  }

  private static Optional<Path> tool(String name) {
    for (String directory : List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")) {
      Path path = Path.of(directory, name);
      if (Files.isExecutable(path)) {
        return Optional.of(path);
      }
    }
    return Optional.empty();
  }

  /** The account's number, if there is such an account. */
  Optional<Account> account(String name) {
    try {
      return Optional.of(
          new Account(
              accountNumber("-u", Optional.of(name)), accountNumber("-g", Optional.of(name))));
    } catch (MisuseException unknown) {
      return Optional.empty();
    }
  }

  record Account(long uid, long gid) {}

  private static long accountNumber(String option, Optional<String> name) {
    List<String> command = new ArrayList<>(List.of("id", option));
    name.ifPresent(command::add);
    try {
      Commands.Result result = Commands.run(command, TOOL_TIMEOUT);
      if (result.isSuccess()) {
        return Long.parseLong(result.output().strip());
      }
      throw Failures.misuse(String.join(" ", command) + " failed: " + result.output());
    } catch (IOException | NumberFormatException e) {
      throw Failures.misuse(String.join(" ", command) + " failed: " + e.getMessage(), e);
    }
  }

  static Account ownerOf(Path file) throws IOException {
    return new Account(number(file, "unix:uid"), number(file, "unix:gid"));
  }

  private static long number(Path file, String attribute) throws IOException {
    Object value = Files.getAttribute(file, attribute, LinkOption.NOFOLLOW_LINKS);
    if (value instanceof Integer number) {
      return Integer.toUnsignedLong(number);
    }
    throw new IOException("no " + attribute + " of " + file);
  }

  static void changeOwner(Path file, Account account) throws IOException {
    Files.setAttribute(file, "unix:uid", (int) account.uid(), LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:gid", (int) account.gid(), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Java's own ways to end a process are SIGTERM, which waits for every client to leave, and
   * SIGKILL.
   */
  void signal(long pid, Signal signal) throws IOException {
    // Fails if the process is gone by now, which is what was wanted.
    Commands.run(List.of("/bin/sh", "-c", "kill -" + signal.posixName + " " + pid), TOOL_TIMEOUT);
  }

  /**
   * The live server processes that work in a data directory, found by what the system says about
   * them and not by a number in a file: numbers are used again. A server changes into its data
   * directory and stays there.
   */
  List<Long> serverProcessesIn(Path dataDirectory) {
    return Files.isDirectory(PROC.resolve("self"))
        ? fromProc(dataDirectory)
        : fromProcessTable(dataDirectory);
  }

  private static List<Long> fromProc(Path dataDirectory) {
    List<Long> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        if (isServerIn(process, dataDirectory)) {
          found.add(Long.parseLong(process.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + PROC, e);
    }
    return found;
  }

  private static boolean isServerIn(Path process, Path dataDirectory) {
    try {
      // Still readable when the program's file was deleted or replaced: " (deleted)" is appended
      // then.
      Path program = Files.readSymbolicLink(process.resolve("exe")).getFileName();
      boolean isServer =
          program != null && program.toString().split(" ", 2)[0].equals(SERVER_PROGRAM);
      return isServer && Files.isSameFile(process.resolve("cwd"), dataDirectory);
    } catch (NoSuchFileException gone) {
      return false;
    } catch (IOException | SecurityException notOurs) {
      // Another user's process: ours run as us, or we are root and may look.
      return false;
    }
  }

  /** Without /proc only the main process can be told: its arguments name the directory. */
  private static List<Long> fromProcessTable(Path dataDirectory) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().command().orElse("").endsWith("/" + SERVER_PROGRAM))
        .filter(
            process ->
                List.of(process.info().arguments().orElse(new String[0]))
                    .contains(dataDirectory.toString()))
        .map(ProcessHandle::pid)
        .toList();
  }
}
