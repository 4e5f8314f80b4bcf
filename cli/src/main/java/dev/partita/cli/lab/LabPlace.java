package dev.partita.cli.lab;

import dev.partita.MisuseException;
import dev.partita.cli.connect.DatabaseFailures;
import dev.partita.cli.connect.Target;
import dev.partita.embedded.Login;
import dev.partita.lab.run.LabDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The database that a run is to use, from the options that say where. */
public final class LabPlace {

  private static final int VERSION_MIN = 15;
  private static final int VERSION_UNIT = 10_000;

  private static final String FACTS =
      """
      SELECT pg_is_in_recovery() AS standby,
             current_setting('transaction_read_only') = 'on' AS read_only,
             current_setting('server_version_num')::int AS version,
             current_setting('server_encoding') AS encoding,
             current_database() AS database,
             quote_ident(current_database()) AS quoted,
             current_user AS role,
             quote_ident(current_user) AS quoted_role,
             concat_ws(', ',
               CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
                    THEN 'CREATE' END,
               CASE WHEN NOT has_database_privilege(current_database(), 'TEMPORARY')
                    THEN 'TEMPORARY' END) AS lacking
      """;

  private LabPlace() {}

  /**
   * Opens it; an embedded one is new, and gone when it is closed.
   *
   * @throws MisuseException under the option's name, if this database is none that can be used
   * @throws dev.partita.UnavailableException if it cannot be reached
   */
  public static LabDatabase open(Target target) throws SQLException {
    String url = target.url();
    if (url == null) {
      Path beside = target.data().toAbsolutePath();
      Path directory = beside.resolveSibling(beside.getFileName() + "-lab");
      try {
        return LabDatabase.embedded(directory);
      } catch (IOException e) {
        throw new MisuseException(
            "--data", "an embedded database cannot be made in " + directory + " (" + e + ")");
      }
    }
    Login login = login(url, target);
    try (Connection connection = login.connect()) {
      check(connection);
    } catch (SQLException e) {
      throw DatabaseFailures.connecting(e);
    }
    return LabDatabase.given(login);
  }

  private static Login login(String url, Target target) {
    try {
      return Login.given(url, target.user(), target.password());
    } catch (MisuseException e) {
      throw new MisuseException("--" + e.field(), e.detail());
    }
  }

  /** Before anything is measured: every cell would say the same, and in words of the server. */
  private static void check(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet facts = statement.executeQuery(FACTS)) {
      facts.next();
      if (facts.getBoolean("standby") || facts.getBoolean("read_only")) {
        throw new MisuseException(
            "--url", "names a database that is read-only, such as a standby; name its primary");
      }
      int version = facts.getInt("version") / VERSION_UNIT;
      if (version < VERSION_MIN) {
        throw new MisuseException(
            "--url",
            "names a PostgreSQL " + version + "; the lab needs " + VERSION_MIN + " or a newer one");
      }
      if (!"UTF8".equals(facts.getString("encoding"))) {
        throw new MisuseException(
            "--url",
            "names a database in "
                + facts.getString("encoding")
                + "; make one with CREATE DATABASE lab ENCODING 'UTF8' TEMPLATE template0");
      }
      String lacking = facts.getString("lacking");
      if (!lacking.isEmpty()) {
        throw new MisuseException(
            "--user",
            facts.getString("role")
                + " may not make schemas or temporary tables in the database "
                + facts.getString("database")
                + "; its owner allows it with GRANT "
                + lacking
                + " ON DATABASE "
                + facts.getString("quoted")
                + " TO "
                + facts.getString("quoted_role"));
      }
    }
  }
}
