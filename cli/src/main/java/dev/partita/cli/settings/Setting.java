package dev.partita.cli.settings;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set about {@code serve}. The flags, the names in the environment and in
 * the file, the help, what {@code --print-config} shows and the page of documentation come from
 * here.
 */
public enum Setting {
  HOST(
      "host",
      "HOST",
      "127.0.0.1",
      "an address or name of this machine",
      "Where to listen. What other machines can reach needs API keys and TLS."),
  PORT("port", "PORT", "7070", "0 … 65535", "Port to listen on; 0 for any that is free."),
  REQUIRE_KEYS(
      "require-keys", "", "false", "true, false", "Need API keys also if none was ever created."),
  ALLOW_NO_KEYS(
      "allow-no-keys",
      "",
      "false",
      "true, false",
      "Need no API keys, whatever there are and whoever can reach the server: all may do"
          + " everything."),
  TLS_CERTIFICATE(
      "tls-certificate",
      "FILE",
      null,
      "a PEM file",
      "Certificate to speak HTTPS with, and behind it those of the authorities above."),
  TLS_KEY(
      "tls-key",
      "FILE",
      null,
      "a PEM file, PKCS #8, not encrypted",
      "Private key of the certificate."),
  ALLOW_PLAIN_HTTP(
      "allow-plain-http",
      "",
      "false",
      "true, false",
      "Speak plain HTTP also where other machines can reach the server: behind a proxy that"
          + " speaks HTTPS."),
  ALLOWED_HOSTS(
      "allowed-hosts",
      "NAMES",
      null,
      "names without port, separated by commas",
      "Names under which the server may be spoken to. By default any where keys are needed, else"
          + " localhost and addresses."),
  MAX_BODY_BYTES(
      "max-body-bytes",
      "N",
      "16777216",
      "1024 … 268435456",
      "Longest body of a request; more is answered 413."),
  MAX_HEADER_BYTES(
      "max-header-bytes",
      "N",
      "16384",
      "1024 … 1048576",
      "Longest header of a request; more is answered 431."),
  MAX_REQUESTS(
      "max-requests",
      "N",
      "4096",
      "1 … 100000",
      "Requests worked on at once; more are answered 429."),
  MAX_CONNECTIONS("max-connections", "N", "8192", "1 … 1000000", "Open connections; more wait."),
  MAX_PAGE_ITEMS(
      "max-page-items",
      "N",
      "10000",
      "100 … 10000",
      "Most items of a page; asking for more is answered 400."),
  IDLE_TIMEOUT("idle-timeout", "TIME", "60s", "1s … 24h", "How long a connection may be silent."),
  STOP_PATIENCE(
      "stop-patience",
      "TIME",
      "8s",
      "1s … 1h",
      "How long requests under way may take to finish when the server is told to end; less than"
          + " the patience of whoever tells it."),
  ACCESS_LOG(
      "access-log",
      "FORMAT",
      "off",
      "text, json, off",
      "Log each request as a line on standard error."),
  URL(
      "url",
      "URL",
      null,
      "jdbc:postgresql://HOST/DATABASE",
      "PARTITA_URL",
      "Database that holds the ledger; by default the embedded one."),
  USER(
      "user",
      "NAME",
      null,
      "a role",
      "PARTITA_USER",
      "Who logs in there; the password is in PARTITA_PASSWORD, never in a file or flag."),
  SCHEMA("schema", "NAME", "partita", "a-z, 0-9, _", null, "Schema that holds the ledger."),
  DATA("data", "DIR", "partita-data", "a directory", null, "Directory of the embedded database.");

  private final String key;
  private final String label;
  private final @Nullable String byDefault;
  private final String range;
  private final @Nullable String variable;
  private final boolean ofAllCommands;
  private final String meaning;

  Setting(String key, String label, @Nullable String byDefault, String range, String meaning) {
    this.key = key;
    this.label = label;
    this.byDefault = byDefault;
    this.range = range;
    this.variable = "PARTITA_SERVE_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
    this.ofAllCommands = false;
    this.meaning = meaning;
  }

  /** One whose flag all commands have. */
  Setting(
      String key,
      String label,
      @Nullable String byDefault,
      String range,
      @Nullable String variable,
      String meaning) {
    this.key = key;
    this.label = label;
    this.byDefault = byDefault;
    this.range = range;
    this.variable = variable;
    this.ofAllCommands = true;
    this.meaning = meaning;
  }

  /** Its name in a file, such as {@code idle-timeout}. */
  public String key() {
    return key;
  }

  /** Its flag, such as {@code --idle-timeout}. */
  public String flag() {
    return "--" + key;
  }

  /** What stands for its value in the help; empty if the flag alone says it. */
  public String label() {
    return label;
  }

  /** Its name in the environment; null if it has none. */
  public @Nullable String variable() {
    return variable;
  }

  /** Its value if nobody says one; null for none. */
  public @Nullable String byDefault() {
    return byDefault;
  }

  /** What it may be. */
  public String range() {
    return range;
  }

  /** What it decides. */
  public String meaning() {
    return meaning;
  }

  /** Whether its flag is one that all commands have. */
  public boolean ofAllCommands() {
    return ofAllCommands;
  }

  /** Whether its flag takes no value. */
  public boolean isSwitch() {
    return label.isEmpty();
  }
}
