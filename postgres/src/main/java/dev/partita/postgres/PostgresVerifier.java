package dev.partita.postgres;

import dev.partita.Progress;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.VerifyReport;
import dev.partita.postgres.ReadSession.Joins;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Proves the invariants on the stored data while writers go on.
 *
 * <p>First it fixes a position: a batch up to which nothing can be added. Records never change and
 * versions have no gaps, so what is proved about records up to there stays true, in any number of
 * short statements. What does change (open holds, accounts' terms) is compared with records in one
 * statement each, whose snapshot shows both at one moment. Statements aim at a second and end at
 * five: what they take on grows and shrinks with the time they took.
 */
final class PostgresVerifier {

  /** If writers keep batches open for longer, what they may have taken is left to the next time. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ReadSession session;
  private final String schema;
  private final FinalPosition finalPosition;
  private final Duration patience;

  PostgresVerifier(DataSource dataSource, String schema) {
    this(dataSource, schema, PATIENCE);
  }

  PostgresVerifier(DataSource dataSource, String schema, Duration patience) {
    this.patience = patience;
    this.session = new ReadSession(dataSource);
    this.schema = PostgresSchema.requireName(schema);
    this.finalPosition = new FinalPosition(schema);
  }

  /**
   * Verifies everything.
   *
   * @param progress told how many records are done; each counts three times a third, for itself and
   *     for its two entries
   * @throws UnavailableException if no position is known to be final, so that nothing could be
   *     proved
   */
  VerifyReport run(Progress progress) {
    return session.with(
        "verifying the ledger",
        connection -> {
          long lastBatch = position(connection);
          Findings findings = new Findings(progress);
          records(connection, lastBatch, findings);
          openHolds(connection, findings);
          groups(connection, findings);
          new AccountVerifier(connection, schema, lastBatch, findings).run();
          return findings.report("batch " + lastBatch);
        });
  }

  private long position(Connection connection) throws SQLException {
    FinalPosition.Reading reading = finalPosition.await(connection, patience);
    if (reading.settled() == 0 && reading.taken() > 0) {
      throw new UnavailableException(
          Reason.CONTENTION,
          Outcome.NOT_POSTED,
          "a transaction that has posted stays open, and nothing is known to be recorded before it;"
              + " let it end and verify again",
          null);
    }
    return reading.settled();
  }

  private void records(Connection connection, long lastBatch, Findings findings)
      throws SQLException {
    SqlQuery size =
        new SqlQuery()
            .add("SELECT pg_catalog.pg_relation_size(?::regclass)", schema + ".transfer")
            .add(" / pg_catalog.current_setting('block_size')::integer");
    long pages =
        ReadSession.ask(
            connection,
            size,
            rows -> {
              rows.next();
              return rows.getLong(1);
            });
    Pace pace = new Pace(256, 1, 1 << 20);
    for (long page = 0; page < pages; ) {
      long first = page;
      page =
          pace.run(
              step -> {
                long end = Math.min(pages, first + step);
                SqlQuery query =
                    VerifyRecords.records(schema, first, end, lastBatch, findings.room());
                Findings.Chunk chunk =
                    ReadSession.askBounded(connection, Joins.LOOKUPS, query, findings::addAll);
                findings.addRecords(chunk.count(), end, pages);
                return end;
              });
    }
  }

  private void openHolds(Connection connection, Findings findings) throws SQLException {
    Pace pace = new Pace(5_000, 1, 1_000_000);
    String place = "-1 -1";
    boolean more = true;
    while (more) {
      String from = place;
      int space = from.indexOf(' ');
      long batch = Long.parseLong(from.substring(0, space));
      long index = Long.parseLong(from.substring(space + 1));
      Findings.Chunk chunk =
          pace.run(
              step ->
                  ReadSession.askBounded(
                      connection,
                      Joins.LOOKUPS,
                      VerifyRecords.holds(schema, batch, index, (int) step, findings.room()),
                      findings::addAll));
      place = chunk.place() == null ? from : chunk.place();
      more = chunk.count() > 0;
    }
  }

  private void groups(Connection connection, Findings findings) throws SQLException {
    // More than the largest group, so that every chunk proves at least one.
    Pace pace = new Pace(25_000, 25_000, 1_000_000);
    UUID after = new UUID(0, 0);
    boolean more = true;
    while (more) {
      UUID from = after;
      GroupChunk done =
          pace.run(
              step -> {
                Findings.Chunk chunk =
                    ReadSession.askBounded(
                        connection,
                        Joins.LOOKUPS,
                        VerifyRecords.groups(schema, from, (int) step, findings.room()),
                        findings::addAll);
                return new GroupChunk(chunk.place(), chunk.count() == step);
              });
      more = done.full() && done.last() != null;
      after = done.last() == null ? from : UUID.fromString(done.last());
    }
  }

  /** The last group that a chunk touched, and whether there may be more of it. */
  private record GroupChunk(@Nullable String last, boolean full) {}
}
