package dev.partita.validate.suites;

import java.sql.PreparedStatement;
import javax.sql.DataSource;

/**
 * A data source that makes of the engine one that does not ask whether its primary still has
 * standbys: what it would write for that alone, when it connects and before it answers from what it
 * has merely found, is left out.
 */
final class HastySource {

  private static final String BARRIER = ".barrier SET passed";
  private static final String CONFIRMATION = "ROLLBACK; SELECT pg_logical_emit_message";

  private HastySource() {}

  /**
   * Wraps another.
   *
   * @param withoutBarrier whether nothing is written on new connections either
   */
  static DataSource of(DataSource real, boolean withoutBarrier) {
    return Proxies.connections(
        real,
        (sql, connection) -> {
          if (sql.startsWith(CONFIRMATION)) {
            return connection.prepareStatement("ROLLBACK");
          }
          if (withoutBarrier && sql.contains(BARRIER)) {
            return passed(connection.prepareStatement("SELECT 1"));
          }
          return connection.prepareStatement(sql);
        });
  }

  private static PreparedStatement passed(PreparedStatement real) {
    return Proxies.proxy(
        PreparedStatement.class,
        (method, arguments) ->
            method.getName().equals("executeUpdate") ? 1 : Proxies.call(real, method, arguments));
  }
}
