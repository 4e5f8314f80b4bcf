package dev.partita.postgres;

import dev.partita.LedgerException;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.PostResult;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.rules.Bookkeeper;
import dev.partita.rules.Draft;
import dev.partita.rules.Restoration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What becomes of a batch of requests: decided on what was found, not yet recorded. */
final class Decision {

  /** A batch index is a smallint; a request may resolve groups of unknown size. */
  static final int RECORDS_MAX = 30_000;

  /** A request with its answer. */
  record Answered(Ticket ticket, PostResult result) {}

  /** A request that fails by its own fault. */
  record Failed(Ticket ticket, LedgerException failure) {}

  private final FoundBooks found;
  private final Draft draft;
  private final List<Answered> answered = new ArrayList<>();
  private final List<Failed> failed = new ArrayList<>();
  private final List<Ticket> deferred = new ArrayList<>();

  private Decision(FoundBooks found) {
    this.found = found;
    this.draft = new Draft(found);
  }

  static Decision of(List<Ticket> tickets, FoundBooks found) {
    Decision decision = new Decision(found);
    for (Ticket ticket : byAge(tickets)) {
      decision.decide(ticket);
    }
    return decision;
  }

  /**
   * In the order in which their ids were made, if those tell: records are written in the order of
   * their ids, and where the versions of an account rise with these its index grows at its end,
   * full page after full page. Requests under way at the same time have no order among each other.
   */
  private static List<Ticket> byAge(List<Ticket> tickets) {
    if (tickets.stream().anyMatch(ticket -> ticket.restorations() != null)) {
      return tickets; // These have an order, which is recorded.
    }
    List<Ticket> sorted = new ArrayList<>(tickets);
    sorted.sort(Comparator.comparingLong(Ticket::madeMillis));
    return sorted;
  }

  /** The books with what is to be recorded. */
  Draft draft() {
    return draft;
  }

  FoundBooks found() {
    return found;
  }

  List<Answered> answered() {
    return answered;
  }

  /**
   * What was answered to requests that were all recorded, decided without a time: with the time
   * that they got.
   */
  List<Answered> answeredAt(Instant recordedAt) {
    List<Answered> timed = new ArrayList<>(answered.size());
    for (Answered one : answered) {
      List<PostResult.Item> items = new ArrayList<>(one.result().items().size());
      for (PostResult.Item item : one.result().items()) {
        items.add(
            new PostResult.Item(
                item.transfers().stream()
                    .map(result -> TransferResult.created(at(recordedAt, result.orThrow())))
                    .toList()));
      }
      timed.add(new Answered(one.ticket(), new PostResult(items)));
    }
    return timed;
  }

  private static Transfer at(Instant recordedAt, Transfer record) {
    return new Transfer(
        record.request(),
        record.amount(),
        record.released(),
        record.last(),
        record.group(),
        record.code(),
        record.reference(),
        recordedAt,
        record.debitAfter(),
        record.creditAfter());
  }

  /**
   * Remembers, for every request, what it would have created and at which place, if the commit got
   * no answer.
   */
  void lost() {
    Map<UUID, Integer> places = new HashMap<>();
    for (Transfer record : draft.records()) {
      places.put(record.id(), found.firstIndex() + places.size());
    }
    for (Answered one : answered) {
      Map<UUID, Integer> created = new HashMap<>();
      for (TransferResult result : one.result().transfers()) {
        if (result.status() == TransferStatus.CREATED) {
          created.put(result.id(), places.get(result.id()));
        }
      }
      one.ticket().lost(found.batch(), created);
    }
  }

  List<Failed> failed() {
    return failed;
  }

  /** Whether every one of so many transfers is recorded: none refused, found or put off. */
  boolean recordsAll(int transfers) {
    return draft.size() == transfers && failed.isEmpty() && deferred.isEmpty();
  }

  /** Whether all of it had been recorded before. */
  boolean existsAll() {
    return deferred.isEmpty()
        && answered.stream()
            .flatMap(one -> one.result().transfers().stream())
            .allMatch(result -> result.status() == TransferStatus.EXISTS);
  }

  /** Requests that have to wait for the next batch, with all that they need locked. */
  List<Ticket> deferred() {
    return deferred;
  }

  private void decide(Ticket ticket) {
    if (draft.size() >= RECORDS_MAX) {
      deferred.add(ticket);
      return;
    }
    // Nothing of a request is drafted unless all of it can be decided now. One transfer is drafted
    // last of all.
    boolean single = ticket.restorations() == null && isOneTransfer(ticket.items());
    Draft attempt = single ? draft : new Draft(draft);
    try {
      List<PostResult.Item> items = decideItems(ticket, attempt);
      if (!single && !add(ticket, attempt)) {
        return;
      }
      answered.add(new Answered(ticket, new PostResult(items)));
    } catch (FoundBooks.NeedsLock e) {
      deferred.add(ticket);
    } catch (MisuseException e) {
      failed.add(new Failed(ticket, e));
    }
  }

  private static boolean isOneTransfer(List<PostItem> items) {
    return items.size() == 1 && items.getFirst() instanceof TransferRequest;
  }

  /** Adds what a request records; false if it has to wait because the batch is full. */
  private boolean add(Ticket ticket, Draft attempt) {
    if (attempt.size() > RECORDS_MAX) {
      throw new MisuseException(
          "the request records " + attempt.size() + " transfers, at most 30,000; split it");
    }
    if (draft.size() + attempt.size() > RECORDS_MAX) {
      deferred.add(ticket);
      return false;
    }
    attempt.addAllTo(draft);
    return true;
  }

  private List<PostResult.Item> decideItems(Ticket ticket, Draft attempt) {
    List<Restoration> restorations = ticket.restorations();
    List<PostItem> items = ticket.items();
    List<PostResult.Item> results = new ArrayList<>(items.size());
    Set<UUID> claimed = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      List<TransferResult> transfers =
          restorations == null
              ? Bookkeeper.decide(items.get(i), attempt, found.now())
              : restorations.get(i).decide(attempt);
      results.add(
          new PostResult.Item(ticket.isUnknown() ? ours(ticket, transfers, claimed) : transfers));
    }
    return results;
  }

  /**
   * What is found stored in a batch of the request's own whose commit got no answer was created.
   *
   * @param claimed what the request has found so; repeated in the same request it merely exists
   */
  private List<TransferResult> ours(
      Ticket ticket, List<TransferResult> results, Set<UUID> claimed) {
    List<TransferResult> mapped = new ArrayList<>(results.size());
    for (TransferResult result : results) {
      TransferRows.Stored stored =
          result.status() == TransferStatus.EXISTS ? found.stored(result.id()) : null;
      boolean own = stored != null && ticket.wasLostAs(stored) && claimed.add(result.id());
      mapped.add(own ? created(result) : result);
    }
    return mapped;
  }

  private static TransferResult created(TransferResult result) {
    return TransferResult.created(result.orThrow());
  }
}
