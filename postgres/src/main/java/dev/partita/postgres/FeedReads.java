package dev.partita.postgres;

import dev.partita.LedgerEvent;
import dev.partita.Page;
import dev.partita.rules.FeedPlace;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the change feed: openings, changes and transfers merged by their batches, as far as these
 * are final. Whatever records anything takes its batch number after its locks, so that batches rise
 * along every account. If writers are still busy with what would come next, a page ends before
 * them.
 *
 * <p>One batch holds openings only, or one change, or transfers only; where rows were there before
 * there was a feed, changes come after the transfers of their batch. So a place is batch, kind, and
 * what orders that kind. Safe for use by several threads.
 */
final class FeedReads {

  /** Lanes commit within milliseconds; whoever takes longer is not waited for. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** Of a place, beside the kind: everything of its batch was delivered. */
  private static final long WHOLE_BATCH = 4;

  private static final long KINDS = WHOLE_BATCH - 1;

  private final ReadSession session;
  private final FeedSql sql;
  private final BatchWindows windows;
  private final FinalPosition finalPosition;

  FeedReads(ReadSession session, String schema, BatchWindows windows, FinalPosition finalPosition) {
    this.session = session;
    this.sql = new FeedSql(schema);
    this.windows = windows;
    this.finalPosition = finalPosition;
  }

  /** An event and what orders it; {@code second} and {@code third} of a transfer are its id. */
  record Found(long batch, long kind, long first, long second, long third, LedgerEvent event) {

    private static final Comparator<Found> ORDER =
        Comparator.comparingLong(Found::batch)
            .thenComparingLong(Found::kind)
            .thenComparingLong(Found::first)
            .thenComparingLong(Found::second);

    private FeedPlace place(UUID ledger) {
      return FeedPlace.of(ledger, batch, kind, first, second, third, event);
    }
  }

  Page<LedgerEvent> feed(@Nullable String from, int limit) {
    Page.requireLimit(limit);
    FeedPlace given = from == null ? null : FeedPlace.read(from);
    return session.with("reading the change feed", connection -> page(connection, given, limit));
  }

  private Page<LedgerEvent> page(Connection connection, @Nullable FeedPlace given, int limit)
      throws SQLException {
    FeedPlace start = checked(connection, given);
    long settled = finalPosition.await(connection, PATIENCE).settled();
    List<Found> found =
        settled < next(start).batch() ? List.of() : read(connection, next(start), settled, limit);
    if (found.isEmpty()) {
      return new Page<>(List.of(), start.cursor());
    }
    List<LedgerEvent> events = new ArrayList<>(found.size());
    for (Found each : found) {
      events.add(each.event().at(each.place(start.ledger()).cursor()));
    }
    FeedPlace last = found.getLast().place(start.ledger());
    return new Page<>(events, (found.size() < limit ? wholeBatch(last) : last).cursor());
  }

  /** The place to go on from, if the ledger has the event that it stands at. */
  private FeedPlace checked(Connection connection, @Nullable FeedPlace given) throws SQLException {
    FeedPlace place = given == null ? FeedPlace.start(new UUID(0, 0)) : given;
    return ReadSession.ask(
        connection,
        sql.standing(place, kind(place)),
        rows -> {
          if (!rows.next()) {
            throw new SQLException("the row that says which ledger this is is gone", "XX001");
          }
          UUID ledger = rows.getObject(1, UUID.class);
          if (given == null) {
            return FeedPlace.start(ledger);
          }
          if (!ledger.equals(given.ledger())) {
            throw FeedPlace.otherLedger();
          }
          if (!given.isStart()
              && (rows.getLong(2) != given.batch()
                  || rows.getString(3) == null
                  || !given.isOf(rows.getString(3), TransferRows.instant(rows, 4)))) {
            throw FeedPlace.historyChanged();
          }
          return given;
        });
  }

  private static long kind(FeedPlace place) {
    return place.kind() & KINDS;
  }

  private static FeedPlace wholeBatch(FeedPlace place) {
    return new FeedPlace(
        place.ledger(),
        place.batch(),
        place.kind() | WHOLE_BATCH,
        place.first(),
        place.second(),
        place.third(),
        place.fingerprint());
  }

  /** After which place of which batch to look; of a batch that is through, the one after it. */
  record After(long batch, long kind, long first, long second) {}

  private static After next(FeedPlace place) {
    return place.isStart() || (place.kind() & WHOLE_BATCH) != 0
        ? new After(place.batch() + 1, FeedSql.BEFORE_ALL, 0, 0)
        : new After(place.batch(), kind(place), place.first(), place.second());
  }

  private List<Found> read(Connection connection, After after, long settled, int limit)
      throws SQLException {
    List<Found> found =
        new ArrayList<>(
            ReadSession.ask(connection, sql.opened(after, settled, limit), FeedSql::readOpened));
    // A page that openings alone fill need not be searched for anything after them.
    long last = found.size() < limit ? settled : found.getLast().batch();
    List<Found> changed =
        ReadSession.ask(connection, sql.changed(after, last, limit), FeedSql::readChanged);
    last = changed.size() < limit ? last : changed.getLast().batch();
    found.addAll(changed);
    for (TransferRows.Stored stored :
        windows.read(connection, FeedSql.transfers(after, last), new SqlQuery(), limit)) {
      found.add(FeedSql.transfer(stored));
    }
    found.sort(Found.ORDER);
    return found.size() <= limit ? found : found.subList(0, limit);
  }
}
