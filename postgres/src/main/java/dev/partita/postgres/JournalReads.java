package dev.partita.postgres;

import dev.partita.Page;
import dev.partita.Transfer;
import dev.partita.rules.Cursor;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole ledger in the order of recording, as far as that is final. If writers are still
 * busy with what would come next, a page ends before them; it never leaves anything out.
 */
final class JournalReads {

  /** Lanes commit within milliseconds; whoever takes longer is not waited for. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  private static final long INDEX_MAX = Short.MAX_VALUE;

  private final ReadSession session;
  private final BatchWindows windows;
  private final FinalPosition finalPosition;

  JournalReads(ReadSession session, BatchWindows windows, FinalPosition finalPosition) {
    this.session = session;
    this.windows = windows;
    this.finalPosition = finalPosition;
  }

  /** Where to go on: the first record not read yet. */
  private record Place(long batch, long index) {

    static final Place START = new Place(1, 0);

    static Place of(Cursor cursor, String text) {
      List<Long> numbers = cursor.read(text).numbers();
      if (numbers.size() != 2
          || numbers.getFirst() < 1
          || numbers.getLast() < 0
          || numbers.getLast() > INDEX_MAX + 1) {
        throw Cursor.unknownPlace();
      }
      return new Place(numbers.getFirst(), numbers.getLast());
    }
  }

  Page<Transfer> journal(@Nullable String from, int limit) {
    Page.requireLimit(limit);
    Cursor cursor = Cursor.of("journal");
    Place start = from == null ? Place.START : Place.of(cursor, from);
    return session.with(
        "reading the journal",
        connection -> {
          FinalPosition.Reading reading = finalPosition.await(connection, PATIENCE);
          if (start.batch() > reading.taken() + 1) {
            throw Cursor.unknownPlace();
          }
          List<TransferRows.Stored> found =
              windows.read(
                  connection,
                  new BatchWindows.Range(start.batch(), start.index(), reading.settled()),
                  new SqlQuery(),
                  limit);
          List<Transfer> transfers = found.stream().map(TransferRows.Stored::transfer).toList();
          return new Page<>(transfers, cursor.write(next(found, limit, start, reading.settled())));
        });
  }

  private static Cursor.Position next(
      List<TransferRows.Stored> found, int limit, Place from, long settled) {
    if (found.size() == limit) {
      TransferRows.Stored last = found.getLast();
      return position(last.batch(), last.batchIndex() + 1L);
    }
    return settled < from.batch() ? position(from.batch(), from.index()) : position(settled + 1, 0);
  }

  private static Cursor.Position position(long batch, long index) {
    return new Cursor.Position(List.of(batch, index), List.of());
  }
}
