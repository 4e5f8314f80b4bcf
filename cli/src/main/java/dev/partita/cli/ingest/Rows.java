package dev.partita.cli.ingest;

import dev.partita.MisuseException;
import org.jspecify.annotations.Nullable;

/** Where rows come from, one after another. */
public interface Rows {

  /** What became of reading one row. */
  sealed interface Next {

    /** A row that can be posted. */
    record Ready(Row row) implements Next {}

    /** A row that cannot, and why. */
    record Malformed(long line, String problem) implements Next {

      Malformed(long line, MisuseException e) {
        this(line, String.valueOf(e.getMessage()));
      }
    }
  }

  /**
   * Reads on; null at the end.
   *
   * @throws MisuseException if the file cannot be read on
   */
  @Nullable Next next();

  /** Opens what the rows read so far need. Called before any of them is posted. */
  default void prepare() {}
}
