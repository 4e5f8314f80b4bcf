package dev.partita.cli.connect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The schema of a ledger, opened for administration. */
public interface SchemaSession extends AutoCloseable {

  /**
   * How far the schema is.
   *
   * @param current its version, or null if it is not there
   * @param newest the version this program brings
   * @param pending what {@link #migrate} would apply
   */
  record Status(@Nullable String current, String newest, List<String> pending) {

    /** Takes a copy. */
    public Status {
      pending = List.copyOf(pending);
    }
  }

  /** How far the schema is. */
  Status status();

  /**
   * Brings the schema to the newest version.
   *
   * @return what was applied
   */
  List<String> migrate();

  /** Gives a role exactly what the ledger needs. */
  void applyGrants(String role);

  @Override
  void close();
}
