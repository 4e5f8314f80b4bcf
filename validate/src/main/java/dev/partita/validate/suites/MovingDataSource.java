package dev.partita.validate.suites;

import dev.partita.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections to wherever the server is now: one that starts again has another port. Thread-safe.
 */
final class MovingDataSource extends PGSimpleDataSource {

  private static final long serialVersionUID = 1;

  private transient volatile @Nullable EmbeddedPostgres now;

  /** From now on connects to this server. */
  void moveTo(EmbeddedPostgres server) {
    now = server;
  }

  @Override
  public Connection getConnection() throws SQLException {
    EmbeddedPostgres server = now;
    if (server == null) {
      throw new SQLException("there is no server yet", "08001");
    }
    return server.application().connect();
  }
}
