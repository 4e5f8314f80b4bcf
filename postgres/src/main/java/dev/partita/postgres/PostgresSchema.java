package dev.partita.postgres;

import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a ledger: makes it, brings it up to date, prints it for people who use another
 * tool, and grants rights on it. Migrations create no roles and grant nothing.
 *
 * <p>Several ledgers can share a database, each in a schema of its own. Safe for use by several
 * threads and processes: migrations wait for each other.
 */
public final class PostgresSchema {

  /** The name used where none is given. */
  public static final String DEFAULT_NAME = "partita";

  /** In order. Append only: what was released is never edited. */
  static final List<String> MIGRATIONS =
      List.of(
          "V001__ledger.sql",
          "V002__views.sql",
          "V003__cheaper_checks.sql",
          "V004__api_keys.sql",
          "V005__feed.sql");

  /** Where Flyway keeps its books, inside the ledger's schema. */
  static final String HISTORY_TABLE = "partita_history";

  private static final String LOCATION = "dev/partita/postgres/db";

  /** Words that SQL does not take for a name without quotes. */
  static final Set<String> RESERVED =
      Set.of(
          ("all analyse analyze and any array as asc asymmetric authorization binary both case cast"
                  + " check collate collation column concurrently constraint create cross"
                  + " current_catalog current_date current_role current_schema current_time"
                  + " current_timestamp current_user default deferrable desc distinct do else end"
                  + " except false fetch for foreign freeze from full grant group having ilike in"
                  + " initially inner intersect into is isnull join lateral leading left like limit"
                  + " localtime localtimestamp natural not notnull null offset on only or order outer"
                  + " overlaps placing primary references returning right select session_user similar"
                  + " some symmetric system_user table tablesample then to trailing true union unique"
                  + " user using variadic verbose when where window with")
              .split(" ", -1));

  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  private final DataSource dataSource;
  private final String name;

  /**
   * The schema of a ledger, which need not exist yet.
   *
   * @param dataSource connections of the role that owns the schema, or will own it
   * @param name {@code [a-z_][a-z0-9_]{0,62}}, not beginning with {@code pg_}
   * @throws MisuseException if the name is not one
   */
  public PostgresSchema(DataSource dataSource, String name) {
    this.dataSource = dataSource;
    this.name = requireName(name);
  }

  /** Checks a schema name, so that it needs no quotes in SQL. */
  static String requireName(String name) {
    if (!NAME.matcher(name).matches()
        || name.startsWith("pg_")
        || name.equals("information_schema")
        || RESERVED.contains(name)) {
      throw new MisuseException(
          "schema",
          "a schema name is a letter a-z or _ and up to 62 more of a-z 0-9 _, not beginning with pg_"
              + " and no word of SQL; was "
              + name);
    }
    return name;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /**
   * Makes the schema or brings it up to date; does nothing if it is. A schema made by hand from
   * {@link #print()} is taken over.
   *
   * @return how it stands afterwards
   * @throws MisuseException if the schema is too new, or holds something else
   */
  public SchemaStatus migrate() {
    SchemaStatus before = status();
    if (before.state() == SchemaStatus.State.TOO_NEW
        || before.state() == SchemaStatus.State.FORBIDDEN) {
      throw new MisuseException("schema", before.describe());
    }
    try {
      if (before.version() > 0 && !hasHistory()) {
        flyway(before.version()).baseline();
      }
      flyway(null).migrate();
    } catch (FlywayException e) {
      throw failed("migration of schema " + name, e);
    }
    return status();
  }

  /** How it stands to this version of Partita. */
  public SchemaStatus status() {
    try (Connection connection = dataSource.getConnection()) {
      return status(connection);
    } catch (SQLException e) {
      throw failed("reading the version of schema " + name, e);
    }
  }

  /**
   * Checks that a ledger can run on it.
   *
   * @throws MisuseException saying what to do, if it is missing, older, too new or not granted
   */
  void requireUsable() {
    SchemaStatus status = status();
    if (!status.usable()) {
      throw new MisuseException("schema", status.describe());
    }
  }

  /** The migrations as SQL that psql or another tool runs as it is, in one transaction. */
  public String print() {
    StringBuilder sql = new StringBuilder("BEGIN;\n");
    for (String migration : MIGRATIONS) {
      sql.append("\n-- ").append(migration).append("\n\n").append(read(migration));
    }
    return sql.append("\nCOMMIT;\n").toString();
  }

  /**
   * The SQL that gives a role exactly what a ledger needs to run: records can be added, never
   * changed or removed. Run it again after each migration.
   *
   * @param role an existing role that does not own the schema
   */
  public String grants(String role) {
    return transaction(Grants.application(name, role));
  }

  /**
   * The SQL that gives a role what reports need: the views, and nothing else.
   *
   * @param role an existing role that does not own the schema
   */
  public String reportingGrants(String role) {
    return transaction(Grants.reporting(name, role));
  }

  /** Runs {@link #grants}. */
  public void grant(String role) {
    apply(role, Grants.application(name, role));
  }

  /** Runs {@link #reportingGrants}. */
  public void grantReporting(String role) {
    apply(role, Grants.reporting(name, role));
  }

  private void apply(String role, List<String> statements) {
    try (Connection connection = dataSource.getConnection()) {
      requireNotOwner(connection, role);
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(autoCommit);
      }
    } catch (SQLException e) {
      throw failed("granting rights on schema " + name, e);
    }
  }

  /** An owner has every right; taking them away by grants would only break the next migration. */
  private void requireNotOwner(Connection connection, String role) throws SQLException {
    String sql =
        "SELECT pg_catalog.pg_get_userbyid(nspowner) FROM pg_catalog.pg_namespace WHERE nspname = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw new MisuseException("schema", "there is no schema " + name + "; migrate first");
        }
        if (role.equals(rows.getString(1))) {
          throw new MisuseException(
              "role", role + " owns schema " + name + "; run the ledger as a role of its own");
        }
      }
    }
  }

  private SchemaStatus status(Connection connection) throws SQLException {
    int latest = MIGRATIONS.size();
    // Reads catalogs only, which needs no right on the schema.
    String sql =
        """
        SELECT pg_catalog.has_schema_privilege(n.oid, 'USAGE'),
               EXISTS (SELECT FROM pg_catalog.pg_class c
                       WHERE c.relnamespace = n.oid AND c.relname = 'transfer'),
               EXISTS (SELECT FROM pg_catalog.pg_proc p
                       WHERE p.pronamespace = n.oid AND p.proname = 'schema_version')
        FROM pg_catalog.pg_namespace n WHERE n.nspname = ?
        """;
    boolean exists;
    boolean allowed;
    boolean versioned;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        boolean found = rows.next();
        allowed = found && rows.getBoolean(1);
        exists = found && rows.getBoolean(2);
        versioned = found && rows.getBoolean(3);
      }
    }
    if (!exists) {
      return new SchemaStatus(name, SchemaStatus.State.MISSING, 0, latest, MIGRATIONS);
    }
    if (!allowed) {
      return new SchemaStatus(name, SchemaStatus.State.FORBIDDEN, 0, latest, List.of());
    }
    if (!versioned) {
      return known(name, 1, 1);
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT version, understood_by FROM " + name + ".schema_version()")) {
      rows.next();
      return known(name, rows.getInt(1), rows.getInt(2));
    }
  }

  /** How a schema stands that says so of itself. */
  static SchemaStatus known(String name, int version, int understoodBy) {
    int latest = MIGRATIONS.size();
    if (version < latest) {
      List<String> pending = MIGRATIONS.subList(version, latest);
      return new SchemaStatus(name, SchemaStatus.State.BEHIND, version, latest, pending);
    }
    SchemaStatus.State state =
        version == latest
            ? SchemaStatus.State.CURRENT
            : understoodBy <= latest ? SchemaStatus.State.AHEAD : SchemaStatus.State.TOO_NEW;
    return new SchemaStatus(name, state, version, latest, List.of());
  }

  private boolean hasHistory() {
    String sql =
        """
        SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ? AND c.relname = ?
        """;
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.setString(2, HISTORY_TABLE);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    } catch (SQLException e) {
      throw failed("looking for the history of schema " + name, e);
    }
  }

  private Flyway flyway(@Nullable Integer baseline) {
    var configuration =
        Flyway.configure(PostgresSchema.class.getClassLoader())
            .dataSource(dataSource)
            .defaultSchema(name)
            .schemas(name)
            .createSchemas(true)
            .table(HISTORY_TABLE)
            .locations("classpath:" + LOCATION)
            .placeholders(Map.of("schema", name))
            .group(true)
            .cleanDisabled(true)
            .validateMigrationNaming(true);
    if (baseline != null) {
      configuration.baselineVersion(Integer.toString(baseline)).baselineDescription("made by hand");
    }
    return configuration.load();
  }

  private String read(String migration) {
    String path = "/" + LOCATION + "/" + migration;
    try (InputStream in = PostgresSchema.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IOException("it is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("${schema}", name);
    } catch (IOException e) {
      throw new MisuseException("cannot read " + path + ": " + e.getMessage());
    }
  }

  private static String transaction(List<String> statements) {
    return "BEGIN;\n" + String.join(";\n", statements) + ";\nCOMMIT;\n";
  }

  private static UnavailableException failed(String what, Exception cause) {
    return new UnavailableException(
        UnavailableException.Reason.DATABASE_ERROR,
        UnavailableException.Outcome.NOT_POSTED,
        what + " failed: " + cause.getMessage(),
        cause);
  }
}
