package dev.partita.postgres;

import dev.partita.Progress;
import dev.partita.VerifyReport;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** Proves the invariants on the stored data. */
final class PostgresVerifier {

  private final DataSource dataSource;
  private final String schema;

  PostgresVerifier(DataSource dataSource, String schema) {
    this.dataSource = Objects.requireNonNull(dataSource);
    this.schema = schema;
  }

  VerifyReport run(Progress progress) {
    throw new UnsupportedOperationException("not built yet: " + schema + progress + dataSource);
  }
}
