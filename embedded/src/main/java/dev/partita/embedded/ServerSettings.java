package dev.partita.embedded;

import dev.partita.MisuseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the server is told on its command line, where it overrules every file and {@code ALTER
 * SYSTEM}.
 *
 * <p>Three layers: defaults that suit a ledger, the user's settings on top, and what may not be
 * changed.
 */
final class ServerSettings {

  /**
   * Durability: a commit that was acknowledged survives a crash, and damage is reported, never
   * papered over.
   */
  static final Map<String, String> DURABLE = durable();

  /** Belong to the module: who can reach the server, and where it keeps things. */
  private static final Set<String> RESERVED =
      Set.of(
          "port",
          "listen_addresses",
          "unix_socket_directories",
          "data_directory",
          "config_file",
          "hba_file",
          "ident_file",
          "external_pid_file",
          "password_encryption",
          "ssl",
          "log_destination",
          "logging_collector",
          "lc_messages");

  static final Set<String> WAL_LEVELS = Set.of("replica", "logical");

  private ServerSettings() {}

  private static Map<String, String> durable() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("fsync", "on");
    settings.put("synchronous_commit", "on");
    settings.put("full_page_writes", "on");
    settings.put("data_sync_retry", "off");
    settings.put("zero_damaged_pages", "off");
    settings.put("ignore_checksum_failure", "off");
    settings.put("ignore_invalid_pages", "off");
    return Map.copyOf(settings);
  }

  private static Map<String, String> defaults() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("max_connections", "200");
    settings.put("shared_buffers", "256MB");
    // Far apart: after each checkpoint every page is written to the log in full once more. The
    // price is the length
    // of a recovery: at most about this much log is read.
    settings.put("max_wal_size", "2GB");
    settings.put("min_wal_size", "256MB");
    settings.put("checkpoint_timeout", "10min");
    settings.put("wal_buffers", "16MB");
    settings.put("wal_level", "replica");
    // These binaries know only pglz, which costs the committing backend more time than the saved
    // bytes are worth on
    // a local disk.
    settings.put("wal_compression", "off");
    // Short statements only; compiling them would take longer than running them.
    settings.put("jit", "off");
    settings.put("random_page_cost", "1.1");
    settings.put("timezone", "UTC");
    settings.put("log_timezone", "UTC");
    settings.put("log_line_prefix", "%m [%p] %q%u@%d %a ");
    settings.put("log_lock_waits", "on");
    settings.put("log_autovacuum_min_duration", "10s");
    settings.put("cluster_name", "partita");
    return settings;
  }

  /**
   * Refuses what cannot be a setting, what would make commits unsafe, and what the module decides
   * itself.
   */
  static void check(Map<String, String> settings) {
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String name = setting.getKey();
      String value = setting.getValue();
      if (!name.matches("[a-z_][a-z0-9_]*([.][a-z_][a-z0-9_]*)?")) {
        throw new MisuseException(
            "settings",
            "\"" + name + "\" is not the name of a server setting (lower case, as in SHOW ALL)");
      }
      if (value.indexOf('\0') >= 0 || value.indexOf('\n') >= 0) {
        throw new MisuseException("settings", "the value of " + name + " must be one line");
      }
      String fixed = DURABLE.get(name);
      if (fixed != null && !fixed.equals(value)) {
        throw new MisuseException(
            "settings",
            name
                + " must be "
                + fixed
                + ", was "
                + value
                + ": the ledger would lose or falsify records. Leave it out");
      }
      if (RESERVED.contains(name)) {
        throw new MisuseException(
            "settings", name + " is decided by the embedded server itself. Leave it out");
      }
      if (name.equals("wal_level") && !WAL_LEVELS.contains(value.toLowerCase(Locale.ROOT))) {
        throw new MisuseException("settings", "wal_level must be replica or logical, was " + value);
      }
    }
  }

  /** The arguments after the program's name. */
  static List<String> arguments(
      Map<String, String> userSettings, Map<String, String> hostSettings, int port) {
    Map<String, String> settings = defaults();
    settings.putAll(hostSettings);
    settings.putAll(userSettings);
    settings.putAll(DURABLE);
    settings.put("listen_addresses", "127.0.0.1");
    settings.put("port", Integer.toString(port));
    // Passwords guard the TCP port; a socket file would be one more door.
    settings.put("unix_socket_directories", "");
    settings.put("password_encryption", "scram-sha-256");
    settings.put("ssl", "off");
    settings.put("log_destination", "stderr");
    settings.put("logging_collector", "off");
    // Messages are read by people and by the retry of a start.
    settings.put("lc_messages", "C");
    List<String> arguments = new ArrayList<>();
    settings.forEach(
        (name, value) -> {
          arguments.add("-c");
          arguments.add(name + "=" + value);
        });
    return arguments;
  }
}
