package dev.partita.postgres;

import dev.partita.LedgerException;
import dev.partita.MisuseException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The API keys beside a ledger, in its schema. Everybody who runs the ledger may read them; the
 * schema's owner alone may add and revoke. Takes a connection for each call and gives it back. Safe
 * for use by several threads and processes.
 */
public final class PostgresApiKeys {

  private static final String COLUMNS =
      "id, name, encode(hash, 'hex'), scopes, created_at, revoked_at";
  private static final String NOT_ALLOWED = "42501";

  private final DataSource dataSource;
  private final String schema;

  /**
   * The keys in a schema.
   *
   * @throws MisuseException if the name is not that of a schema
   */
  public PostgresApiKeys(DataSource dataSource, String schema) {
    this.dataSource = dataSource;
    this.schema = PostgresSchema.requireName(schema);
  }

  /**
   * All keys that were ever added, in that order.
   *
   * @throws dev.partita.UnavailableException if the database does not answer
   */
  public List<StoredApiKey> all() {
    return query("SELECT " + COLUMNS + " FROM " + schema + ".api_key ORDER BY created_at, id");
  }

  /**
   * Adds a key, unless there is or was one of its name.
   *
   * @param hash SHA-256 of the key, as hexadecimal digits
   * @param activeMax how many keys may be in use at once
   * @return the row; empty if the name is taken
   * @throws MisuseException if this role may not, a value breaks the table's rules, or as many keys
   *     are in use as may be
   */
  public Optional<StoredApiKey> add(
      String id, String name, String hash, List<String> scopes, int activeMax) {
    String add =
        """
        INSERT INTO %1$s.api_key (id, name, hash, scopes)
        SELECT ?, ?, decode(?, 'hex'), ?::text[]
        WHERE (SELECT count(*) FROM %1$s.api_key WHERE revoked_at IS NULL) < ?
        ON CONFLICT (name) DO NOTHING
        RETURNING %2$s
        """
            .formatted(schema, COLUMNS);
    List<StoredApiKey> added = query(add, id, name, hash, scopes.toArray(String[]::new), activeMax);
    if (added.isEmpty() && find("name", name).isEmpty()) {
      throw new MisuseException(
          activeMax + " API keys are in use, the most there can be; revoke some");
    }
    return added.stream().findFirst();
  }

  /**
   * Revokes a key; one that is revoked stays as it is.
   *
   * @param nameOrId its name or, if none has it, its id
   * @return the row afterwards; empty if there is no such key
   * @throws MisuseException if this role may not
   */
  public Optional<StoredApiKey> revoke(String nameOrId) {
    Optional<StoredApiKey> found = find("name", nameOrId).or(() -> find("id", nameOrId));
    if (found.isEmpty() || found.get().revokedAt() != null) {
      return found;
    }
    String id = found.get().id();
    String revoke =
        "UPDATE "
            + schema
            + ".api_key SET revoked_at = clock_timestamp() WHERE id = ? AND revoked_at IS NULL"
            + " RETURNING "
            + COLUMNS;
    // Somebody else may have been faster: then it is as they left it.
    return query(revoke, id).stream().findFirst().or(() -> find("id", id));
  }

  private Optional<StoredApiKey> find(String column, String value) {
    String find = "SELECT " + COLUMNS + " FROM " + schema + ".api_key WHERE " + column + " = ?";
    return query(find, value).stream().findFirst();
  }

  private List<StoredApiKey> query(String sql, Object... values) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        Object value =
            values[i] instanceof String[] texts
                ? connection.createArrayOf("text", texts)
                : values[i];
        statement.setObject(i + 1, value);
      }
      List<StoredApiKey> keys = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          keys.add(read(rows));
        }
      }
      return keys;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static StoredApiKey read(ResultSet row) throws SQLException {
    Array scopes = row.getArray(4);
    return new StoredApiKey(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        Arrays.asList((String[]) scopes.getArray()),
        row.getObject(5, OffsetDateTime.class).toInstant(),
        instant(row.getObject(6, OffsetDateTime.class)));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  private LedgerException failed(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (state.equals(NOT_ALLOWED)) {
      return new MisuseException(
          "user",
          "this role may not do that with API keys; log in as the owner of schema "
              + schema
              + " to create and revoke them, and let it grant the ledger's rights to who only reads"
              + " them");
    }
    if (state.startsWith("23")) {
      return new MisuseException("key", "the table of API keys refuses it: " + e.getMessage());
    }
    return SqlFailures.unavailable(e, "the API keys");
  }
}
