package dev.partita.cli.validate;

import dev.partita.AccountId;
import dev.partita.Balance;
import dev.partita.Entry;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.Side;
import dev.partita.StatementQuery;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.cli.ingest.BerkaRows;
import dev.partita.cli.ingest.Rows;
import dev.partita.cli.input.Decimal;
import dev.partita.validate.Run;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Records the rows of the bank day by day, each account's in the bank's order, and then compares
 * every running balance. For one thread.
 */
final class BankReplay {

  private static final String RECORDED = "every row is recorded";
  private static final String FOLLOWS = "running balances follow those of the bank row by row";

  private final Ledger ledger;
  private final Run run;
  private final UnaryOperator<Entry> seen;
  private final Map<AccountId, BigInteger> stated = new LinkedHashMap<>();
  private final Map<AccountId, List<BankDay.Row>> day = new LinkedHashMap<>();
  private final List<PostItem> waiting = new ArrayList<>();
  private long rows;
  private long exact;
  private long rounded;
  private long others;
  private long endsExactly;
  private BigInteger largest = BigInteger.ZERO;
  private BigInteger credits = BigInteger.ZERO;
  private BigInteger debits = BigInteger.ZERO;

  /**
   * Replays into a ledger.
   *
   * @param seen put around each line of a statement that is read
   */
  BankReplay(Ledger ledger, Run run, UnaryOperator<Entry> seen) {
    this.ledger = ledger;
    this.run = run;
    this.seen = seen;
  }

  /**
   * Reads and records all rows, which the file has in the order of their days.
   *
   * @return how many there are
   * @throws MisuseException if the file cannot be read on
   */
  long record(BerkaRows file) {
    run.phase("recording the bank's rows");
    file.register();
    Instant today = Instant.MIN;
    for (Rows.Next next = file.next(); next != null; next = file.next()) {
      switch (next) {
        case Rows.Next.Malformed malformed ->
            throw new MisuseException(
                "FILE", "line " + malformed.line() + " cannot be read: " + malformed.problem());
        case Rows.Next.Ready ready -> {
          TransferRequest request = ready.row().request();
          Instant date = Objects.requireNonNull(request.effectiveAt());
          if (date.isBefore(today)) {
            throw new MisuseException(
                "FILE",
                "line " + ready.row().line() + " is of an earlier day than the line before");
          }
          if (date.isAfter(today)) {
            endDay(file);
            today = date;
          }
          add(request);
        }
      }
    }
    endDay(file);
    send(file);
    run.fact("rows", rows);
    run.fact("accounts", stated.size());
    return rows;
  }

  private void add(TransferRequest request) {
    rows++;
    boolean credit = BerkaRows.EXTERNAL.equals(request.debit());
    AccountId account = Objects.requireNonNull(credit ? request.credit() : request.debit());
    BigInteger amount = Objects.requireNonNull(request.amount()).toBigInteger();
    day.computeIfAbsent(account, id -> new ArrayList<>())
        .add(new BankDay.Row(request, credit ? amount : amount.negate(), statedBy(request)));
  }

  private static BigInteger statedBy(TransferRequest request) {
    String text = Objects.requireNonNull(request.metadata().asMap().get("balance"));
    return Decimal.signed("balance", text).balance(BerkaRows.CZK).toBigInteger();
  }

  private void endDay(BerkaRows file) {
    day.forEach(
        (account, of) -> {
          BigInteger before = stated.getOrDefault(account, BigInteger.ZERO);
          List<BankDay.Row> ordered = BankDay.ordered(of, before);
          ordered.forEach(row -> waiting.add(row.request()));
          stated.put(account, ordered.getLast().stated());
        });
    day.clear();
    if (waiting.size() >= PostRequest.TRANSFERS_MAX / 2) {
      send(file);
    }
  }

  private void send(BerkaRows file) {
    file.prepare();
    for (int from = 0; from < waiting.size(); from += PostRequest.TRANSFERS_MAX) {
      int to = Math.min(waiting.size(), from + PostRequest.TRANSFERS_MAX);
      for (TransferResult result :
          ledger.post(new PostRequest(waiting.subList(from, to))).transfers()) {
        run.check(RECORDED, result.status() == TransferStatus.CREATED, result.toString());
      }
    }
    waiting.clear();
    run.progress(rows, 0, "rows");
  }

  /** Compares every line of every customer's statement. */
  void compare() {
    run.phase("comparing running balances");
    long accounts = 0;
    for (Map.Entry<AccountId, BigInteger> each : stated.entrySet()) {
      compare(each.getKey());
      run.progress(++accounts, stated.size(), "accounts");
    }
    run.fact("rows that follow exactly", exact);
    run.fact("rows that follow within the bank's rounding of 0.10", rounded);
    run.fact("rows that do not follow", others);
    run.fact("accounts that end exactly on the balance stated last", endsExactly);
    run.fact("largest difference that the bank's rounding adds up to", money(largest));
    run.fact("sum of credits", money(credits));
    run.fact("sum of debits", money(debits));
    run.check(
        RECORDED,
        exact + rounded + others == rows,
        rows + " rows were read and " + (exact + rounded + others) + " lines found");
  }

  private void compare(AccountId account) {
    BigInteger difference = BigInteger.ZERO;
    @Nullable String cursor = null;
    do {
      Page<Entry> page =
          ledger.statement(StatementQuery.oldestFirst(account, Page.LIMIT_MAX).from(cursor));
      for (Entry each : page.items()) {
        Entry entry = seen.apply(each);
        BigInteger now = running(entry).subtract(statedBy(entry.transfer().request()));
        judge(entry, now.subtract(difference).abs());
        difference = now;
        largest = largest.max(now.abs());
        sum(entry);
      }
      cursor = page.next();
    } while (cursor != null);
    endsExactly += difference.signum() == 0 ? 1 : 0;
  }

  private static BigInteger running(Entry entry) {
    return entry.after().balance().toBigInteger();
  }

  /**
   * @param step how much further the ledger's balance is from the stated one than it was after the
   *     line before
   */
  private void judge(Entry entry, BigInteger step) {
    boolean follows = step.compareTo(BankDay.ROUNDING) <= 0;
    if (step.signum() == 0) {
      exact++;
    } else if (follows) {
      rounded++;
    } else {
      others++;
    }
    run.check(
        FOLLOWS,
        follows,
        entry.after().account()
            + ", row "
            + entry.transfer().reference()
            + ": the ledger has "
            + money(running(entry))
            + ", which is "
            + money(step)
            + " off from what the bank has");
  }

  private void sum(Entry entry) {
    BigInteger amount = entry.transfer().amount().toBigInteger();
    if (entry.side() == Side.CREDIT) {
      credits = credits.add(amount);
    } else {
      debits = debits.add(amount);
    }
  }

  private static String money(BigInteger minor) {
    return Balance.ofMinor(minor).format(BerkaRows.CZK);
  }
}
