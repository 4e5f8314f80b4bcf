package dev.partita.cli.connect;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which ledger is meant.
 *
 * @param url JDBC URL of an existing database, or null for the embedded one in {@code data}
 * @param user who logs in, or null where the URL says it
 * @param password their password, or null
 * @param data directory of the embedded database
 * @param schema schema that holds the ledger
 */
public record Target(
    @Nullable String url,
    @Nullable String user,
    @Nullable String password,
    Path data,
    String schema) {

  @Override
  public String toString() {
    return url == null ? "embedded in " + data : "schema " + schema + " of a given database";
  }
}
