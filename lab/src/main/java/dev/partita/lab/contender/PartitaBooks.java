package dev.partita.lab.contender;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Side;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Partita's tables as an arena's accounts, and an operation in Partita's words. */
final class PartitaBooks {

  private static final Asset ASSET = Asset.of("EUR", 2);
  private static final AccountId WORLD = AccountId.of("world");
  private static final int OPEN_AT_ONCE = 10_000;

  /**
   * Both sides of every transfer but the world's, openings among them; a line says what its account
   * has after it.
   */
  private static final String LINES =
      """
      SELECT t.id AS transfer, substr(a.id, 3)::int AS account,
             CASE WHEN s.debit THEN -t.amount ELSE t.amount END AS amount,
             CASE WHEN s.debit THEN t.debit_version ELSE t.credit_version END AS line,
             CASE WHEN s.debit
               THEN coalesce(t.debit_credits_posted, 0) - coalesce(t.debit_debits_posted, 0)
               ELSE coalesce(t.credit_credits_posted, 0) - coalesce(t.credit_debits_posted, 0)
             END AS after, t.debit_no = w.no AS funding
      FROM {schema}.transfer t CROSS JOIN (VALUES (true), (false)) AS s (debit)
      JOIN {schema}.account a ON a.no = CASE WHEN s.debit THEN t.debit_no ELSE t.credit_no END
      CROSS JOIN (SELECT no FROM {schema}.account WHERE id = 'world') w
      WHERE a.no <> w.no
      """;

  private PartitaBooks() {}

  /**
   * Migrates the schema, makes every account with what it has at the beginning, and opens the
   * ledger. Nothing here is ever held, so it does not look for holds that are due: that would open
   * connections, for there is no pool.
   */
  static PostgresLedger open(Arena arena, String applicationName) {
    // Closed in between: what a session did is only counted for certain when it has ended.
    prepare(arena, applicationName);
    return PostgresLedger.open(source(arena, applicationName), config(arena));
  }

  /** The same without opening the ledger in the end. */
  static void prepare(Arena arena, String applicationName) {
    DataSource source = source(arena, applicationName);
    new PostgresSchema(source, arena.schema()).migrate();
    try (PostgresLedger ledger = PostgresLedger.open(source, config(arena))) {
      openAccounts(ledger, arena.accounts(), arena.opening());
    }
  }

  private static PostgresConfig config(Arena arena) {
    return PostgresConfig.builder().schema(arena.schema()).sweepInterval(null).build();
  }

  /** Connections for a ledger. */
  static DataSource source(Arena arena, String applicationName) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(arena.login().jdbcUrl());
    source.setUser(arena.login().user());
    source.setPassword(arena.login().password());
    source.setApplicationName(applicationName);
    return source;
  }

  /** Registers the asset, and opens and funds so many accounts. */
  static void openAccounts(Ledger ledger, int count, long opening) {
    ledger.register(List.of(ASSET));
    ledger.open(List.of(NewAccount.of(WORLD.value(), ASSET.code().value()).normal(Side.DEBIT)));
    for (int first = 0; first < count; first += OPEN_AT_ONCE) {
      List<NewAccount> accounts = new ArrayList<>();
      List<PostItem> funding = new ArrayList<>();
      for (int i = first; i < Math.min(count, first + OPEN_AT_ONCE); i++) {
        accounts.add(
            NewAccount.of(id(i).value(), ASSET.code().value()).limits(Limits.NOT_NEGATIVE));
        if (opening > 0) {
          funding.add(
              TransferRequest.direct(
                  Ids.named("opening " + i), ASSET.code(), WORLD, id(i), Amount.ofMinor(opening)));
        }
      }
      ledger.open(accounts);
      requireCreated(ledger.post(new PostRequest(funding)).transfers());
    }
  }

  /** Without its money an account would refuse everything, and be fast at it. */
  private static void requireCreated(List<TransferResult> openings) {
    for (TransferResult each : openings) {
      if (each.status() != TransferStatus.CREATED) {
        throw new IllegalStateException("an account could not be funded: " + each);
      }
    }
  }

  private static AccountId id(int account) {
    return AccountId.of("a:" + account);
  }

  /** Name of the only asset. */
  static String assetCode() {
    return ASSET.code().value();
  }

  /** Name of an account. */
  static String accountId(int account) {
    return id(account).value();
  }

  /** An operation as one request of single transfers. */
  static PostRequest request(Operation operation) {
    List<PostItem> items = new ArrayList<>(operation.size());
    for (Movement each : operation.movements()) {
      items.add(
          TransferRequest.direct(
              each.id(),
              ASSET.code(),
              id(each.from()),
              id(each.to()),
              Amount.ofMinor(each.amount())));
    }
    return new PostRequest(items);
  }

  /** What the ledger said, in the lab's words. */
  static Answer answer(PostResult result) {
    int committed = 0;
    int rejected = 0;
    int replayed = 0;
    for (TransferResult each : result.transfers()) {
      switch (each.status()) {
        case CREATED -> committed++;
        case EXISTS -> replayed++;
        default -> rejected++;
      }
    }
    return Answer.of(committed, rejected, replayed);
  }

  /** What it means that the ledger could not answer. */
  static Outcome outcome(UnavailableException e) {
    if (e.outcome() == UnavailableException.Outcome.UNKNOWN) {
      return Outcome.INDETERMINATE;
    }
    return switch (e.reason()) {
      case CONTENTION, CONFLICT -> Outcome.CONFLICT;
      case TIMED_OUT, QUEUE_FULL, WITHDRAWN -> Outcome.TIMEOUT;
      case CLOSED, DATABASE_UNAVAILABLE -> Outcome.TRANSIENT;
      case DATABASE_ERROR, SCHEMA_TOO_NEW -> Outcome.ERROR;
    };
  }

  /** How to read them, without the openings: what a client's journal knows. */
  static Stored stored(Arena arena) {
    return new Stored(
            "SELECT DISTINCT ON (account) account, after AS amount FROM ("
                + LINES
                + ") l ORDER BY account, line DESC",
            "SELECT transfer, account, amount FROM (" + LINES + ") l WHERE NOT funding",
            "SELECT account, line, amount, after FROM (" + LINES + ") l",
            "{schema}.transfer",
            """
            SELECT count(*) AS transfers, count(DISTINCT batch) AS commits FROM {schema}.transfer
            WHERE debit_no <> (SELECT no FROM {schema}.account WHERE id = 'world')
            """)
        .counting(
            "SELECT account, max(line) - count(*) FILTER (WHERE funding) AS moves FROM ("
                + LINES
                + ") l GROUP BY account")
        .notBelow(0)
        .in(arena);
  }
}
