package dev.partita.embedded;

import dev.partita.MisuseException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How to run a server; immutable, checked when it is made. {@code in(directory)} is enough for
 * most.
 *
 * @param directory where everything about this server is kept; absolute after construction
 * @param port TCP port on the loopback interface; empty means a free one, which differs from start
 *     to start
 * @param settings server settings by name, on top of the module's own defaults; those that
 *     durability and access depend on are refused
 * @param startupTimeout how long a start may take. Recovery after a crash counts, and starts over
 *     when it is cut short, so the default is generous; a server that fails says so at once and
 *     does not wait for this
 * @param shutdownTimeout how long a fast shutdown may take (it writes a checkpoint) before the
 *     server is told to stop at once, which loses nothing and costs a recovery at the next start
 * @param stopOnJvmExit whether an orderly end of the JVM stops the server. If not, and nobody calls
 *     {@link EmbeddedPostgres#close()}, the server goes on until the next start on this directory
 *     stops it
 * @param serverUser account to run the server as when the JVM runs as root, which PostgreSQL
 *     refuses; ignored otherwise. Empty means the owner of existing data, else {@code postgres},
 *     else {@code nobody}
 * @param binariesCache where to unpack the server's programs; empty means a directory of this user
 */
public record EmbeddedPostgresConfig(
    Path directory,
    OptionalInt port,
    Map<String, String> settings,
    Duration startupTimeout,
    Duration shutdownTimeout,
    boolean stopOnJvmExit,
    Optional<String> serverUser,
    Optional<Path> binariesCache) {

  private static final Duration TIMEOUT_MIN = Duration.ofSeconds(1);
  private static final Duration TIMEOUT_MAX = Duration.ofHours(24);

  /**
   * Checks every value.
   *
   * @throws MisuseException naming the value that is wrong and what it may be
   */
  public EmbeddedPostgresConfig {
    directory = directory.toAbsolutePath().normalize();
    if (directory.getParent() == null) {
      throw new MisuseException(
          "directory", "must not be the root of a file system, was " + directory);
    }
    if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > 65_535)) {
      throw new MisuseException(
          "port", "must be 1..65535, or left out for a free one, was " + port.getAsInt());
    }
    ServerSettings.check(settings);
    settings = Map.copyOf(settings);
    checkTimeout("startupTimeout", startupTimeout);
    checkTimeout("shutdownTimeout", shutdownTimeout);
    if (serverUser.isPresent() && !serverUser.get().matches("[A-Za-z_][A-Za-z0-9_.-]*")) {
      throw new MisuseException(
          "serverUser", "must be the name of an account, was " + serverUser.get());
    }
    binariesCache = binariesCache.map(path -> path.toAbsolutePath().normalize());
  }

  private static void checkTimeout(String name, Duration value) {
    if (value.compareTo(TIMEOUT_MIN) < 0 || value.compareTo(TIMEOUT_MAX) > 0) {
      throw new MisuseException(
          name, "must be between " + TIMEOUT_MIN + " and " + TIMEOUT_MAX + ", was " + value);
    }
  }

  /** A server in this directory, everything else as the module thinks best. */
  public static EmbeddedPostgresConfig in(Path directory) {
    return builder(directory).build();
  }

  /** Starts a configuration for this directory. */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /** Collects values; {@link #build()} checks them. For one thread. */
  public static final class Builder {

    private final Path directory;
    private OptionalInt port = OptionalInt.empty();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private Duration startupTimeout = Duration.ofMinutes(10);
    private Duration shutdownTimeout = Duration.ofMinutes(1);
    private boolean stopOnJvmExit = true;
    private Optional<String> serverUser = Optional.empty();
    private Optional<Path> binariesCache = Optional.empty();

    private Builder(Path directory) {
      this.directory = Objects.requireNonNull(directory, "directory");
    }

    /** See {@link EmbeddedPostgresConfig#port()}. */
    public Builder port(int value) {
      port = OptionalInt.of(value);
      return this;
    }

    /** Adds one server setting, as it would stand in postgresql.conf, without quotes. */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** See {@link EmbeddedPostgresConfig#startupTimeout()}. */
    public Builder startupTimeout(Duration value) {
      startupTimeout = value;
      return this;
    }

    /** See {@link EmbeddedPostgresConfig#shutdownTimeout()}. */
    public Builder shutdownTimeout(Duration value) {
      shutdownTimeout = value;
      return this;
    }

    /** See {@link EmbeddedPostgresConfig#stopOnJvmExit()}. */
    public Builder stopOnJvmExit(boolean value) {
      stopOnJvmExit = value;
      return this;
    }

    /** See {@link EmbeddedPostgresConfig#serverUser()}. */
    public Builder serverUser(String value) {
      serverUser = Optional.of(value);
      return this;
    }

    /** See {@link EmbeddedPostgresConfig#binariesCache()}. */
    public Builder binariesCache(Path value) {
      binariesCache = Optional.of(value);
      return this;
    }

    /**
     * The finished configuration.
     *
     * @throws MisuseException naming the value that is wrong and what it may be
     */
    public EmbeddedPostgresConfig build() {
      return new EmbeddedPostgresConfig(
          directory,
          port,
          settings,
          startupTimeout,
          shutdownTimeout,
          stopOnJvmExit,
          serverUser,
          binariesCache);
    }
  }
}
