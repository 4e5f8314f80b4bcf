package dev.partita.memory;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Amount;
import dev.partita.BalanceReading;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.Side;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.rules.Cursor;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions from the books. A cursor names the first item of the page that it leads to.
 * Guarded by the ledger's lock.
 */
final class MemoryReads {

  private final MemoryBooks books;

  MemoryReads(MemoryBooks books) {
    this.books = books;
  }

  BalanceReading balance(AccountId id, Instant now) {
    MemoryAccount account = books.require(id);
    return new BalanceReading(account.balanceAfter(account.version()), settledUntil(account, now));
  }

  BalanceReading asRecorded(AccountId id, Instant recordedAt, Instant now) {
    MemoryAccount account = books.require(id);
    int version = knownVersion(account, "recordedAt", recordedAt, now);
    return new BalanceReading(account.balanceAfter(version), settledUntil(account, now));
  }

  EffectiveReading asEffective(AccountId id, Instant effectiveAt, Instant now) {
    MemoryAccount account = books.require(id);
    return effective(account, account.version(), effectiveAt, now);
  }

  EffectiveReading asEffective(AccountId id, Instant effectiveAt, Instant knownAt, Instant now) {
    MemoryAccount account = books.require(id);
    int version = knownVersion(account, "knownAt", knownAt, now);
    return effective(account, version, effectiveAt, now);
  }

  private static EffectiveReading effective(
      MemoryAccount account, int version, Instant effectiveAt, Instant now) {
    Amount debits = Amount.ZERO;
    Amount credits = Amount.ZERO;
    for (int v = 1; v <= version; v++) {
      Entry line = account.line(v);
      Transfer transfer = line.transfer();
      if (transfer.movesPosted() && !transfer.countsAt().isAfter(effectiveAt)) {
        if (line.side() == Side.DEBIT) {
          debits = debits.plus(transfer.amount());
        } else {
          credits = credits.plus(transfer.amount());
        }
      }
    }
    return new EffectiveReading(
        account.id(),
        account.opened().asset(),
        account.opened().normal(),
        debits,
        credits,
        settledUntil(account, now));
  }

  private static int knownVersion(
      MemoryAccount account, String field, Instant recordedAt, Instant now) {
    if (recordedAt.isBefore(account.openedAt())) {
      throw new MisuseException(
          field,
          recordedAt + " is before " + account.id() + " was opened, at " + account.openedAt());
    }
    Instant last = account.lastRecordedAt();
    if (recordedAt.isAfter(now) && (last == null || recordedAt.isAfter(last))) {
      throw new MisuseException(
          field, recordedAt + " has not come yet, the ledger's time is " + now);
    }
    return account.versionAt(recordedAt);
  }

  /** A record may still be made at the later of the two instants, never before it. */
  private static Instant settledUntil(MemoryAccount account, Instant now) {
    Instant cut = now.truncatedTo(ChronoUnit.MICROS);
    Instant last = account.lastRecordedAt();
    Instant next = last == null || last.isBefore(cut) ? cut : last;
    return next.minus(1, ChronoUnit.MICROS);
  }

  Page<Account> accounts(AccountQuery query) {
    Cursor cursor = Cursor.of("accounts", query.prefix(), query.asset(), query.code());
    String prefix = query.prefix() == null ? "" : query.prefix();
    String start = query.cursor() == null ? prefix : accountAt(cursor, query.cursor());
    List<Account> page = new ArrayList<>();
    for (MemoryAccount account : books.accounts().tailMap(start, true).values()) {
      if (!account.id().value().startsWith(prefix)) {
        break;
      }
      if ((query.asset() != null && !query.asset().equals(account.opened().asset()))
          || (query.code() != null && query.code() != account.opened().code())) {
        continue;
      }
      if (page.size() == query.limit()) {
        return new Page<>(page, cursor.write(Cursor.Position.of(account.id().value())));
      }
      page.add(account.view());
    }
    return new Page<>(page, null);
  }

  private String accountAt(Cursor cursor, String text) {
    List<String> texts = cursor.read(text).texts();
    if (texts.size() != 1 || !books.accounts().containsKey(texts.getFirst())) {
      throw Cursor.unknownPlace();
    }
    return texts.getFirst();
  }

  Page<AccountChange> changes(AccountId id, @Nullable String from, int limit) {
    Page.requireLimit(limit);
    List<AccountChange> changes = books.require(id).changes();
    Cursor cursor = Cursor.of("changes", id);
    int start = from == null ? 1 : (int) cursor.readNumber(from, 1, changes.size());
    int end = Math.min(changes.size(), start - 1 + limit);
    return new Page<>(
        changes.subList(start - 1, end), end == changes.size() ? null : at(cursor, end + 1));
  }

  Page<Entry> statement(StatementQuery query) {
    MemoryAccount account = books.require(query.account());
    Cursor cursor = Cursor.of("statement", query.account(), query.newestFirst());
    int last = account.version();
    int step = query.newestFirst() ? -1 : 1;
    int version = query.newestFirst() ? last : 1;
    if (query.cursor() != null) {
      version = (int) cursor.readNumber(query.cursor(), 1, last);
    }
    List<Entry> page = new ArrayList<>();
    while (version >= 1 && version <= last) {
      if (page.size() == query.limit()) {
        return new Page<>(page, at(cursor, version));
      }
      page.add(account.line(version));
      version += step;
    }
    return new Page<>(page, null);
  }

  Page<Transfer> journal(@Nullable String from, int limit) {
    Page.requireLimit(limit);
    List<Transfer> journal = books.journal();
    Cursor cursor = Cursor.of("journal");
    int start = from == null ? 0 : (int) cursor.readNumber(from, 0, journal.size());
    int end = Math.min(journal.size(), start + limit);
    return new Page<>(journal.subList(start, end), at(cursor, end));
  }

  Page<Hold> holds(HoldQuery query) {
    if (query.account() != null) {
      books.require(query.account());
    }
    Cursor cursor = Cursor.of("holds", query.account(), query.asset(), query.dueBy());
    int start = query.cursor() == null ? 0 : recordAt(cursor, query.cursor());
    List<Hold> page = new ArrayList<>();
    for (int position : books.openHolds(start).keySet()) {
      Hold hold = books.openHold(position);
      if (matches(query, hold)) {
        if (page.size() == query.limit()) {
          return new Page<>(page, at(cursor, position));
        }
        page.add(hold);
      }
    }
    return new Page<>(page, null);
  }

  private static boolean matches(HoldQuery query, Hold hold) {
    Instant deadline = hold.deadline();
    return (query.account() == null || isOn(hold.transfer(), query.account()))
        && (query.asset() == null || query.asset().equals(hold.transfer().asset()))
        && (query.dueBy() == null || (deadline != null && !deadline.isAfter(query.dueBy())));
  }

  Page<Transfer> find(TransferQuery query) {
    if (query.account() != null) {
      books.require(query.account());
    }
    Cursor cursor =
        Cursor.of(
            "find",
            query.reference(),
            query.groupId(),
            query.relatedId(),
            query.account(),
            query.code(),
            query.from(),
            query.to());
    int start = query.cursor() == null ? 0 : recordAt(cursor, query.cursor());
    List<Transfer> page = new ArrayList<>();
    for (PrimitiveIterator.OfInt all = candidates(query, start).iterator(); all.hasNext(); ) {
      int position = all.nextInt();
      Transfer transfer = books.journal().get(position);
      if (matches(query, transfer)) {
        if (page.size() == query.limit()) {
          return new Page<>(page, at(cursor, position));
        }
        page.add(transfer);
      }
    }
    return new Page<>(page, null);
  }

  /** Positions from {@code start} on, rising, among which everything is that a query asks for. */
  private IntStream candidates(TransferQuery query, int start) {
    List<Integer> positions;
    if (query.groupId() != null) {
      positions = books.inGroup(query.groupId());
    } else if (query.relatedId() != null) {
      positions = books.relatedTo(query.relatedId());
    } else if (query.reference() != null) {
      positions = books.withReference(query.reference());
    } else if (query.account() != null) {
      positions = books.require(query.account()).lines();
    } else {
      return IntStream.range(start, books.journal().size());
    }
    int found = Collections.binarySearch(positions, start);
    return positions.subList(found < 0 ? -found - 1 : found, positions.size()).stream()
        .mapToInt(Integer::intValue);
  }

  private static boolean matches(TransferQuery query, Transfer transfer) {
    return (query.reference() == null || query.reference().equals(transfer.reference()))
        && (query.groupId() == null
            || (transfer.group() != null && query.groupId().equals(transfer.group().id())))
        && (query.relatedId() == null || query.relatedId().equals(transfer.relatedId()))
        && (query.account() == null || isOn(transfer, query.account()))
        && (query.code() == null || query.code() == transfer.code())
        && (query.from() == null || !transfer.recordedAt().isBefore(query.from()))
        && (query.to() == null || !transfer.recordedAt().isAfter(query.to()));
  }

  private static boolean isOn(Transfer transfer, AccountId account) {
    return transfer.debit().equals(account) || transfer.credit().equals(account);
  }

  private int recordAt(Cursor cursor, String text) {
    return (int) cursor.readNumber(text, 0, books.journal().size() - 1L);
  }

  private static String at(Cursor cursor, long number) {
    return cursor.write(Cursor.Position.of(number));
  }
}
