package dev.partita.postgres;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What is looked at before a ledger opens: too old a server is refused, what loses money is loud.
 */
final class StartupChecks {

  private static final System.Logger LOG = System.getLogger(StartupChecks.class.getName());
  private static final int VERSION_MIN = 150_000;
  private static final int NEWEST_PAGES = 16;

  private StartupChecks() {}

  /**
   * Checks the server and warns of settings that can lose acknowledged transfers.
   *
   * @return the warnings, which are logged too
   * @throws MisuseException if the server is older than PostgreSQL 15
   */
  static List<String> run(DataSource dataSource, PostgresConfig config) {
    List<String> warnings = new ArrayList<>();
    String settings =
        "SELECT current_setting('server_version_num')::int, current_setting('server_version'),"
            + " current_setting('fsync'), current_setting('full_page_writes'),"
            + " current_setting('synchronous_standby_names'),"
            + " (SELECT count(*) FROM pg_stat_replication)";
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(settings)) {
      row.next();
      if (row.getInt(1) < VERSION_MIN) {
        throw new MisuseException(
            "url", "the server is PostgreSQL " + row.getString(2) + "; Partita needs 15 or newer");
      }
      if (row.getString(3).equals("off")) {
        warnings.add("fsync is off: a crash of the machine loses or destroys the whole ledger");
      }
      if (row.getString(4).equals("off")) {
        warnings.add("full_page_writes is off: a crash of the machine can destroy the ledger");
      }
      if (!row.getString(5).isEmpty() && config.synchronousCommit().equals("local")) {
        warnings.add(
            "synchronousCommit is local: commits do not wait for the standbys, and a failover can"
                + " lose acknowledged transfers");
      }
      boolean standbys = row.getLong(6) > 0;
      if (standbys && row.getString(5).isEmpty()) {
        warnings.add(
            "the standbys are asynchronous: a failover can lose acknowledged transfers; set"
                + " synchronous_standby_names");
      }
    } catch (SQLException e) {
      throw SqlFailures.unavailable(e, "opening the ledger");
    }
    if (config.synchronousCommit().equals("off")) {
      warnings.add("synchronousCommit is off: a crash loses the last acknowledged transfers");
    }
    for (String warning : warnings) {
      LOG.log(Level.WARNING, "MONEY AT RISK: {0}", warning);
    }
    return warnings;
  }

  /**
   * Checks that positions go on above those that are recorded. Copies can leave the sequence
   * behind: logical replication does not carry it. Looks at the newest pages, so that it costs the
   * same for a large ledger; every post looks again, at its own accounts.
   *
   * @throws CorruptionException if the sequence is behind
   */
  static void requirePositions(DataSource dataSource, String schema) {
    String positions =
        """
        SELECT coalesce((
            SELECT max(t.batch) FROM %1$s.transfer t
            WHERE t.ctid >= format('(%%s,0)', greatest(0,
                pg_relation_size('%1$s.transfer') / current_setting('block_size')::int
                  - %2$d))::tid), 0),
          (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %1$s.batch)
        """
            .formatted(schema, NEWEST_PAGES);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(positions)) {
      row.next();
      if (row.getLong(1) > row.getLong(2)) {
        throw FoundBooks.sequenceIsBehind(row.getLong(2), row.getLong(1));
      }
    } catch (SQLException e) {
      throw SqlFailures.unavailable(e, "opening the ledger");
    }
  }
}
