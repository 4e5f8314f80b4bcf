package dev.partita.lab.contender;

import dev.partita.lab.load.Worker;
import java.sql.Connection;
import java.sql.SQLException;

/** What contenders that are plain SQL have in common: tables, a connection for each worker. */
abstract class SqlContender implements Contender {

  /** Its tables with their accounts, as one text; see {@link Arena#text}. */
  abstract String tables();

  /** How to read them; see {@link Arena#text}. */
  abstract Stored stored();

  /** What one connection does. The connection is in no transaction and not in auto-commit. */
  abstract SqlWorker.Transaction on(Connection connection, Arena arena) throws SQLException;

  @Override
  public Stage stage(Arena arena) throws SQLException {
    arena.run(tables());
    return new SqlStage(arena);
  }

  private final class SqlStage implements Stage {
    private final Arena arena;

    SqlStage(Arena arena) {
      this.arena = arena;
    }

    @Override
    public Worker worker() throws SQLException {
      return new SqlWorker(arena, SqlContender.this::on);
    }

    @Override
    public Stored stored() {
      return SqlContender.this.stored().in(arena);
    }

    @Override
    public void close() {}
  }
}
