package dev.partita.memory;

import dev.partita.LedgerEvent;
import dev.partita.Page;
import dev.partita.rules.FeedPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything recorded in the order of recording: a list that only grows. Guarded by the ledger's
 * lock.
 *
 * <p>There is nothing to tell two ledgers in memory apart but what they recorded, so a cursor of
 * another one is found out by its event; one that stands before all events is good for any.
 */
final class MemoryFeed {

  private static final UUID LEDGER = new UUID(0, 0);

  /** Each with a cursor yet to be made: most are never asked for. */
  private final List<LedgerEvent> events = new ArrayList<>();

  void add(LedgerEvent event) {
    events.add(event);
  }

  Page<LedgerEvent> page(@Nullable String from, int limit) {
    Page.requireLimit(limit);
    FeedPlace start = from == null ? FeedPlace.start(LEDGER) : place(from);
    int begin = (int) start.batch() + 1;
    int end = Math.min(events.size(), begin + limit);
    List<LedgerEvent> page = new ArrayList<>(end - begin);
    for (int i = begin; i < end; i++) {
      LedgerEvent event = events.get(i);
      page.add(event.at(FeedPlace.of(LEDGER, i, 0, 0, 0, 0, event).cursor()));
    }
    return new Page<>(page, page.isEmpty() ? start.cursor() : page.getLast().cursor());
  }

  private FeedPlace place(String from) {
    FeedPlace place = FeedPlace.read(from);
    if (!place.ledger().equals(LEDGER)) {
      throw FeedPlace.otherLedger();
    }
    if (place.isStart()) {
      return place;
    }
    if (place.batch() >= events.size()) {
      throw FeedPlace.historyChanged();
    }
    LedgerEvent last = events.get((int) place.batch());
    if (!place.isOf(last.id(), last.recordedAt())) {
      throw FeedPlace.historyChanged();
    }
    return place;
  }
}
