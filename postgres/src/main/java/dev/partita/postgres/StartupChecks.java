package dev.partita.postgres;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
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

  /** What a server says of itself. */
  record Server(
      int versionNumber,
      String version,
      boolean standby,
      String encoding,
      boolean fsync,
      boolean fullPageWrites,
      boolean hasStandbys,
      String synchronousStandbys) {

    static Server read(DataSource dataSource) {
      String settings =
          "SELECT current_setting('server_version_num')::int, current_setting('server_version'),"
              + " pg_is_in_recovery(), current_setting('server_encoding'),"
              + " current_setting('fsync') <> 'off', current_setting('full_page_writes') <> 'off',"
              + " EXISTS (SELECT FROM pg_stat_replication),"
              + " current_setting('synchronous_standby_names')";
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(settings)) {
        row.next();
        return new Server(
            row.getInt(1),
            row.getString(2),
            row.getBoolean(3),
            row.getString(4),
            row.getBoolean(5),
            row.getBoolean(6),
            row.getBoolean(7),
            row.getString(8));
      } catch (SQLException e) {
        throw SqlFailures.unavailable(e, "opening the ledger");
      }
    }
  }

  /**
   * Checks the server and warns of settings that can lose acknowledged transfers.
   *
   * @return the warnings, which are logged too
   * @throws MisuseException if the server is older than PostgreSQL 15, or the database not in UTF8
   * @throws UnavailableException if the server is a standby, and not promoted yet
   */
  static List<String> run(DataSource dataSource, PostgresConfig config) {
    Server server = Server.read(dataSource);
    requireFit(server);
    List<String> warnings = warnings(server, config.synchronousCommit());
    for (String warning : warnings) {
      LOG.log(Level.WARNING, "MONEY AT RISK: {0}", warning);
    }
    return warnings;
  }

  static void requireFit(Server server) {
    if (server.versionNumber() < VERSION_MIN) {
      throw new MisuseException(
          "url", "the server is PostgreSQL " + server.version() + "; Partita needs 15 or newer");
    }
    if (!server.encoding().equals("UTF8")) {
      throw new MisuseException(
          "url",
          "the database's encoding is "
              + server.encoding()
              + ", in which not every reference and note can be stored; make one with ENCODING"
              + " 'UTF8'");
    }
    if (server.standby()) {
      throw new UnavailableException(
          Reason.DATABASE_UNAVAILABLE,
          Outcome.NOT_POSTED,
          "opening the ledger: the server is a standby and cannot be written; connect to the primary,"
              + " in the URL for example with targetServerType=primary",
          null);
    }
  }

  static List<String> warnings(Server server, String synchronousCommit) {
    List<String> warnings = new ArrayList<>();
    if (!server.fsync()) {
      warnings.add("fsync is off: a crash of the machine loses or destroys the whole ledger");
    }
    if (!server.fullPageWrites()) {
      warnings.add("full_page_writes is off: a crash of the machine can destroy the ledger");
    }
    if (server.hasStandbys() && server.synchronousStandbys().isEmpty()) {
      warnings.add(
          "the standbys are asynchronous: a failover can lose acknowledged transfers; set"
              + " synchronous_standby_names");
    }
    switch (synchronousCommit) {
      case "off" ->
          warnings.add("synchronousCommit is off: a crash loses the last acknowledged transfers");
      case "local" ->
          warnings.add(
              "synchronousCommit is local: it waits for no standby, and a failover can lose"
                  + " acknowledged transfers");
      case "remote_write" ->
          warnings.add(
              "synchronousCommit is remote_write: a standby need not have them on its disk, and a"
                  + " failover to one that crashed loses acknowledged transfers");
      default -> {}
    }
    return warnings;
  }

  /**
   * Checks that positions go on above those that are recorded. Copies can leave the sequence
   * behind: logical replication does not carry it. Looks at the newest pages, so that it costs the
   * same for a large ledger; every post looks again, at its own accounts.
   *
   * <p>They must rise one by one: a lane takes the number after its own last one for a proof that
   * nobody has recorded anything.
   *
   * @throws CorruptionException if the sequence is behind
   * @throws MisuseException if it hands out several numbers at once
   */
  static void requirePositions(DataSource dataSource, String schema) {
    String positions =
        """
        SELECT greatest(0, (
            SELECT max(t.batch) FROM %1$s.transfer t
            WHERE t.ctid >= (SELECT format('(%%s,0)', greatest(0,
                pg_relation_size('%1$s.transfer') / current_setting('block_size')::int
                  - %2$d))::tid)),
            (SELECT max(a.batch) FROM %1$s.account a),
            (SELECT max(c.batch) FROM %1$s.account_change c)),
          (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %1$s.batch),
          (SELECT seqcache FROM pg_catalog.pg_sequence WHERE seqrelid = '%1$s.batch'::regclass)
        """
            .formatted(schema, NEWEST_PAGES);
    // The size is volatile: but for the SELECT around it, it would be asked for each row of a scan
    // of the whole table. Asked as a read, which sees to the plan.
    Positions found =
        new ReadSession(dataSource)
            .ask(
                "opening the ledger",
                new SqlQuery().add(positions),
                row -> {
                  row.next();
                  return new Positions(row.getLong(1), row.getLong(2), row.getLong(3));
                });
    if (found.recorded() > found.taken()) {
      throw FoundBooks.sequenceIsBehind(found.taken(), found.recorded());
    }
    if (found.atOnce() != 1) {
      throw new MisuseException(
          "schema",
          "the sequence batch hands out "
              + found.atOnce()
              + " numbers at once to a session, so that they do not rise with what is recorded;"
              + " let its owner run ALTER SEQUENCE "
              + schema
              + ".batch CACHE 1");
    }
  }

  /** The last position recorded, the last one taken, and how many a session takes at once. */
  private record Positions(long recorded, long taken, long atOnce) {}
}
