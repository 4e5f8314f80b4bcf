package dev.partita.testkit;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AssetCode;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Compares what an engine finds by one criterion and by several together with a plain look through
 * everything that the {@link Auditor} expects.
 */
final class FindDuel {

  /** Small and odd, so that the seams of pages fall everywhere. */
  private static final int PAGE = 17;

  private static final int LARGE_PAGE = 997;

  /** At most so many values of a criterion are tried. */
  private static final int SAMPLES = 5;

  private final Ledger engine;
  private final List<Transfer> journal;
  private final List<Hold> holds;
  private final List<Account> accounts;

  FindDuel(Ledger engine, AuditorReads auditor) {
    this.engine = engine;
    this.journal = auditor.journal();
    this.holds = auditor.holds();
    this.accounts = auditor.accounts();
  }

  void compare() {
    lookedUp();
    for (int i = 0; i < journal.size(); i += 1 + journal.size() / SAMPLES) {
      foundLike(journal.get(i), journal.get(journal.size() / 2).recordedAt());
    }
    byEach().forEach(this::found);
    for (int i = 0; i < holds.size(); i += 1 + holds.size() / SAMPLES) {
      Transfer like = holds.get(i).transfer();
      held(like.debit(), null, null);
      held(null, like.asset(), like.deadline());
      held(like.credit(), like.asset(), like.deadline());
    }
    for (int i = 0; i < accounts.size(); i += 1 + accounts.size() / SAMPLES) {
      Account like = accounts.get(i);
      listed(like.id().value().substring(0, 1), like.asset(), null);
      listed(null, like.asset(), like.code());
      listed(null, null, like.code());
    }
  }

  private void lookedUp() {
    List<UUID> ids = new ArrayList<>();
    List<Transfer> expected = new ArrayList<>();
    for (int i = journal.size() - 1; i >= 0 && ids.size() < LARGE_PAGE; i -= 3) {
      expected.add(journal.get(i));
      ids.add(journal.get(i).id());
      ids.add(new UUID(i, 1));
    }
    ReadsDuel.sameList("transfers by their ids", expected, engine.transfers(ids));
  }

  /** Questions with one criterion each, for the first values there are. */
  private Set<TransferQuery> byEach() {
    Set<TransferQuery> references = new LinkedHashSet<>();
    Set<TransferQuery> groups = new LinkedHashSet<>();
    Set<TransferQuery> related = new LinkedHashSet<>();
    for (Transfer transfer : journal) {
      String reference = transfer.reference();
      if (reference != null && references.size() < SAMPLES) {
        references.add(TransferQuery.reference(reference, PAGE));
      }
      if (transfer.group() != null && groups.size() < SAMPLES) {
        groups.add(TransferQuery.group(transfer.group().id(), PAGE));
      }
      UUID relatedId = transfer.relatedId();
      if (relatedId != null && related.size() < SAMPLES) {
        related.add(TransferQuery.related(relatedId, PAGE));
      }
    }
    Set<TransferQuery> queries = new LinkedHashSet<>(references);
    queries.addAll(groups);
    queries.addAll(related);
    return queries;
  }

  /** Questions with several criteria, all of which one record meets. */
  private void foundLike(Transfer like, Instant other) {
    Instant at = like.recordedAt();
    Instant from = at.isBefore(other) ? at : other;
    Instant to = at.isBefore(other) ? other : at;
    UUID group = like.group() == null ? null : like.group().id();
    found(query(null, null, null, like.debit(), like.code(), null, null));
    found(query(like.reference(), null, null, like.credit(), null, from, to));
    found(query(like.reference(), group, like.relatedId(), like.debit(), like.code(), from, to));
    found(query(null, group, null, like.credit(), null, null, at));
    found(query(null, null, like.relatedId(), like.credit(), like.code(), at, null));
    if (!from.plus(TransferQuery.RANGE_MAX).isBefore(to)) {
      found(TransferQuery.between(from, to, LARGE_PAGE));
      found(TransferQuery.between(from, to, LARGE_PAGE).code(like.code()));
    }
  }

  private static TransferQuery query(
      @Nullable String reference,
      @Nullable UUID group,
      @Nullable UUID related,
      AccountId account,
      @Nullable Integer code,
      @Nullable Instant from,
      @Nullable Instant to) {
    return new TransferQuery(reference, group, related, account, code, from, to, null, LARGE_PAGE);
  }

  private void found(TransferQuery query) {
    ReadsDuel.sameList(
        query.toString(),
        journal.stream().filter(transfer -> meets(transfer, query)).toList(),
        ReadsDuel.all(cursor -> engine.find(query.from(cursor))));
  }

  static boolean meets(Transfer transfer, TransferQuery query) {
    return (query.reference() == null || query.reference().equals(transfer.reference()))
        && (query.groupId() == null
            || (transfer.group() != null && query.groupId().equals(transfer.group().id())))
        && (query.relatedId() == null || query.relatedId().equals(transfer.relatedId()))
        && (query.account() == null || touches(transfer, query.account()))
        && (query.code() == null || query.code() == transfer.code())
        && (query.from() == null || !transfer.recordedAt().isBefore(query.from()))
        && (query.to() == null || !transfer.recordedAt().isAfter(query.to()));
  }

  private void held(
      @Nullable AccountId account, @Nullable AssetCode asset, @Nullable Instant dueBy) {
    HoldQuery query = new HoldQuery(account, asset, dueBy, null, PAGE);
    ReadsDuel.sameList(
        query.toString(),
        holds.stream().filter(hold -> meets(hold, query)).toList(),
        ReadsDuel.all(cursor -> engine.holds(query.from(cursor))));
  }

  static boolean meets(Hold hold, HoldQuery query) {
    Instant deadline = hold.deadline();
    return (query.account() == null || touches(hold.transfer(), query.account()))
        && (query.asset() == null || query.asset().equals(hold.transfer().asset()))
        && (query.dueBy() == null || (deadline != null && !deadline.isAfter(query.dueBy())));
  }

  private void listed(@Nullable String prefix, @Nullable AssetCode asset, @Nullable Integer code) {
    AccountQuery query = new AccountQuery(prefix, asset, code, null, 3);
    ReadsDuel.sameList(
        query.toString(),
        accounts.stream()
            .filter(account -> meets(account, query))
            .map(ReadsDuel::withoutClosingTime)
            .toList(),
        ReadsDuel.all(cursor -> engine.accounts(query.from(cursor))).stream()
            .map(ReadsDuel::withoutClosingTime)
            .toList());
  }

  static boolean meets(Account account, AccountQuery query) {
    return (query.prefix() == null || account.id().value().startsWith(query.prefix()))
        && (query.asset() == null || query.asset().equals(account.asset()))
        && (query.code() == null || query.code() == account.code());
  }

  private static boolean touches(Transfer transfer, AccountId account) {
    return account.equals(transfer.debit()) || account.equals(transfer.credit());
  }
}
