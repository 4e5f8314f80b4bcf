package dev.partita.embedded;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks the running server, as every role that writes, whether an acknowledged commit is on the
 * disk. What was passed on the command line can still be weakened for one role or one database.
 */
final class DurabilityCheck {

  private static final System.Logger LOGGER = System.getLogger(DurabilityCheck.class.getName());

  private static final String WEAKENED =
      """
      SELECT 'ALTER ' || CASE WHEN r.rolname IS NULL THEN 'DATABASE ' || quote_ident(d.datname)
                              ELSE 'ROLE ' || quote_ident(r.rolname)
                                   || coalesce(' IN DATABASE ' || quote_ident(d.datname), '') END
             || ' RESET synchronous_commit'
      FROM pg_db_role_setting s
      LEFT JOIN pg_roles r ON r.oid = s.setrole
      LEFT JOIN pg_database d ON d.oid = s.setdatabase
      WHERE EXISTS (SELECT FROM unnest(s.setconfig) c WHERE c LIKE 'synchronous_commit=%'
                                                        AND c <> 'synchronous_commit=on')
        AND (r.rolname IS NULL OR r.rolname IN ('partita_owner', 'partita_app'))
        AND (d.datname IS NULL OR d.datname = current_database())
      """;

  private DurabilityCheck() {}

  /**
   * Takes back a weaker setting of the ledger's own roles or database: nobody else could, as these
   * roles cannot log in before the check has passed.
   */
  static void restore(Login superuser) throws SQLException {
    try (Connection connection = superuser.connect();
        Statement statement = connection.createStatement()) {
      List<String> repairs = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery(WEAKENED)) {
        while (rows.next()) {
          repairs.add(rows.getString(1));
        }
      }
      for (String repair : repairs) {
        LOGGER.log(Level.WARNING, "commits would not have been durable: {0}", repair);
        statement.execute(repair);
      }
    }
  }

  /**
   * Fails unless the session of this role keeps every commit, and the server is the one that was
   * started.
   */
  static void verify(Login login, OwnerRecord record) throws SQLException {
    Map<String, String> actual = new HashMap<>();
    try (Connection connection = login.connect()) {
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT name, setting FROM pg_settings WHERE name = ANY (?)")) {
        List<String> names = new ArrayList<>(ServerSettings.DURABLE.keySet());
        names.addAll(List.of("wal_level", "data_checksums"));
        statement.setArray(1, connection.createArrayOf("text", names.toArray()));
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            actual.put(rows.getString(1), rows.getString(2));
          }
        }
      }
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery("SELECT system_identifier FROM pg_control_system()")) {
        row.next();
        if (row.getLong(1) != record.systemIdentifier()) {
          throw Failures.unavailable("Another PostgreSQL answers at " + login.jdbcUrl());
        }
      }
    }
    ServerSettings.DURABLE.forEach((name, value) -> require(login, name, Set.of(value), actual));
    require(login, "wal_level", ServerSettings.WAL_LEVELS, actual);
    require(login, "data_checksums", Set.of("on"), actual);
  }

  private static void require(
      Login login, String name, Set<String> allowed, Map<String, String> actual) {
    String value = actual.getOrDefault(name, "(unknown)");
    if (!allowed.contains(value)) {
      throw Failures.misuse(
          "PostgreSQL runs with "
              + name
              + " = "
              + value
              + " for "
              + login.user()
              + " where the ledger needs "
              + String.join(" or ", allowed)
              + ". It was stopped again.");
    }
  }
}
