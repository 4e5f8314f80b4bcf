package dev.partita.lab.contender;

import dev.partita.lab.load.Worker;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A contender with its tables and accounts, ready to work. Thread-safe. */
public interface Stage extends AutoCloseable {

  /**
   * One more worker: for most contenders a connection. There may be as many as its card says.
   *
   * @throws SQLException if there is no connection
   */
  Worker worker() throws SQLException;

  /** How to read what it has stored; null if it stores nothing, because it only reads. */
  @Nullable Stored stored();

  /** The process that does the work beside database and generator, if it has one of its own. */
  default Optional<ProcessHandle> process() {
    return Optional.empty();
  }

  @Override
  void close() throws IOException, SQLException;
}
