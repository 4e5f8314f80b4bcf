package dev.partita.cli.ingest;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.RegisterResult;
import dev.partita.Side;
import dev.partita.TransferRequest;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.input.Decimal;
import dev.partita.cli.output.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of the Czech bank of the PKDD'99 challenge ("Berka" data), the whole table or a
 * part of it.
 *
 * <p>Each customer's account is CREDIT-normal: what the bank owes. The other side of every row is
 * one DEBIT-normal account for what came in and has not gone out again, so that both show the same
 * sign. PRIJEM credits the customer, VYDAJ and VYBER debit them. Nothing has limits: the bank let
 * some accounts go below zero.
 *
 * <p>A row counts for its date at 00:00 UTC. Its id is {@code Ids.named(that instant,
 * "berka:trans:" + trans_id)}.
 */
public final class BerkaRows implements Rows {

  /** The other side of every row. */
  public static final AccountId EXTERNAL = new AccountId("berka:external");

  /** The currency of the data. */
  public static final Asset CZK = Asset.iso("CZK");

  private static final String[] COLUMNS = {
    "trans_id",
    "account_id",
    "date",
    "type",
    "operation",
    "amount",
    "balance",
    "k_symbol",
    "bank",
    "account"
  };

  /** Operations by the code that their transfers carry; an operation not listed is code 0. */
  private static final List<String> OPERATIONS =
      List.of("", "VKLAD", "PREVOD Z UCTU", "VYBER", "PREVOD NA UCET", "VYBER KARTOU");

  private static final Set<String> NOTES =
      Set.of("type", "operation", "balance", "k_symbol", "bank", "account");

  /** The years of the two-digit dates; the table covers 1993 to 1998. */
  private static final int CENTURY = 1900;

  private final CsvFile file;
  private final Header header;
  private final Ledger ledger;
  private final Set<AccountId> opened = new HashSet<>();
  private final List<NewAccount> toOpen = new ArrayList<>();

  /**
   * Reads the header.
   *
   * @throws MisuseException if its columns are not those of the transactions
   */
  public BerkaRows(InputFile file, Ledger ledger) {
    this.file = new CsvFile(file, ';');
    List<String> known = List.of(COLUMNS);
    this.header = Header.read(this.file, known::contains, String.join(", ", known));
    header.require(this.file, COLUMNS);
    this.ledger = ledger;
    toOpen.add(account(EXTERNAL).normal(Side.DEBIT));
  }

  /** Registers the currency. */
  public void register() {
    RegisterResult result = ledger.register(List.of(CZK)).getFirst();
    if (result.status() == RegisterResult.Status.EXISTS_DIFFERENT) {
      throw new MisuseException(
          "CZK is registered here with scale "
              + result.asset().scale()
              + "; the data needs 2. Import into another ledger");
    }
  }

  @Override
  public @Nullable Next next() {
    CsvFile.Line line = file.next();
    if (line == null) {
      return null;
    }
    try {
      header.requireWidth(line);
      return new Next.Ready(new Row(line.line(), request(line)));
    } catch (MisuseException e) {
      return new Next.Malformed(line.line(), e);
    }
  }

  @Override
  public void prepare() {
    if (toOpen.isEmpty()) {
      return;
    }
    for (OpenResult result : ledger.open(toOpen)) {
      if (result.status() == OpenResult.Status.EXISTS_DIFFERENT) {
        throw new MisuseException(
            "the account "
                + result.id()
                + " exists with another "
                + result.field()
                + "; import into another ledger");
      }
    }
    toOpen.clear();
  }

  /** How many customers' accounts were met. */
  public int customers() {
    return opened.size();
  }

  private TransferRequest request(CsvFile.Line line) {
    long transId = number(line, "trans_id");
    AccountId customer = new AccountId("berka:account:" + number(line, "account_id"));
    Instant effectiveAt = date(header.required(line, "date"));
    boolean credit =
        switch (header.required(line, "type")) {
          case "PRIJEM" -> true;
          case "VYDAJ", "VYBER" -> false;
          default ->
              throw new MisuseException(
                  "type",
                  Text.quote(header.required(line, "type")) + " is none of PRIJEM, VYDAJ, VYBER");
        };
    Decimal amount = Decimal.unsigned("amount", header.required(line, "amount"));
    Balance stated = Decimal.signed("balance", header.required(line, "balance")).balance(CZK);
    TransferRequest request =
        TransferRequest.direct(
                Ids.named(effectiveAt, "berka:trans:" + transId),
                CZK.code(),
                credit ? EXTERNAL : customer,
                credit ? customer : EXTERNAL,
                amount.amount(CZK))
            .effectiveAt(effectiveAt)
            .code(operation(line))
            .reference(Long.toString(transId))
            .metadata(notes(line, stated));
    if (opened.add(customer)) {
      toOpen.add(account(customer));
    }
    return request;
  }

  private int operation(CsvFile.Line line) {
    String operation = header.value(line, "operation");
    return operation == null ? 0 : Math.max(0, OPERATIONS.indexOf(operation));
  }

  /** All that has no field of its own, as it is in the file; blanks are left out. */
  private Metadata notes(CsvFile.Line line, Balance stated) {
    Map<String, String> notes = new HashMap<>();
    for (String column : NOTES) {
      String value = header.value(line, column);
      if (value != null && !value.isBlank()) {
        notes.put(column, value);
      }
    }
    notes.put("balance", stated.format(CZK));
    return Metadata.of(notes);
  }

  private long number(CsvFile.Line line, String column) {
    return Arguments.whole(column, header.required(line, column), 0, Integer.MAX_VALUE);
  }

  private static Instant date(String text) {
    try {
      if (text.length() == 6) {
        int number = Arguments.small("date", text, 0, 999_999);
        return LocalDate.of(CENTURY + number / 10_000, number / 100 % 100, number % 100)
            .atStartOfDay(ZoneOffset.UTC)
            .toInstant();
      }
    } catch (DateTimeException e) {
      throw new MisuseException("date", Text.quote(text) + " is on no calendar");
    }
    throw new MisuseException("date", Text.quote(text) + " is not YYMMDD");
  }

  private static NewAccount account(AccountId id) {
    return new NewAccount(id, CZK.code(), Side.CREDIT, Limits.NONE, 0, Metadata.EMPTY);
  }
}
