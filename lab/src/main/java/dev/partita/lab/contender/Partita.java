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
import dev.partita.Side;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Worker;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Partita in this process: every caller posts its own operation and gets its own answer; one
 * connection commits what arrives meanwhile as one batch. An operation of many transfers is one
 * request of single transfers.
 */
public final class Partita implements Contender {

  private static final Asset ASSET = Asset.of("EUR", 2);
  private static final AccountId WORLD = AccountId.of("world");
  private static final int OPEN_AT_ONCE = 10_000;

  @Override
  public Card card() {
    return new Card(
        "partita",
        "one call a transfer; what arrives while a batch is being committed is the next batch",
        "",
        List.of("lock; look up; clock (one round trip)", "records; COMMIT (one round trip)"),
        2,
        "READ COMMITTED",
        "row counts",
        Integer.MAX_VALUE);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES, Ability.UNIQUE_IDS);
  }

  @Override
  public Stage stage(Arena arena) throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(arena.login().jdbcUrl());
    source.setUser(arena.login().user());
    source.setPassword(arena.login().password());
    source.setApplicationName("partita-lab-partita");
    new PostgresSchema(source, arena.schema()).migrate();
    PostgresLedger ledger =
        PostgresLedger.open(source, PostgresConfig.builder().schema(arena.schema()).build());
    try {
      open(ledger, arena);
    } catch (RuntimeException e) {
      ledger.close();
      throw e;
    }
    return new PartitaStage(ledger, arena);
  }

  private static void open(Ledger ledger, Arena arena) {
    ledger.register(List.of(ASSET));
    ledger.open(List.of(NewAccount.of(WORLD.value(), ASSET.code().value()).normal(Side.DEBIT)));
    for (int first = 0; first < arena.accounts(); first += OPEN_AT_ONCE) {
      List<NewAccount> accounts = new ArrayList<>();
      List<PostItem> funding = new ArrayList<>();
      for (int i = first; i < Math.min(arena.accounts(), first + OPEN_AT_ONCE); i++) {
        accounts.add(
            NewAccount.of(id(i).value(), ASSET.code().value()).limits(Limits.NOT_NEGATIVE));
        if (arena.opening() > 0) {
          funding.add(
              TransferRequest.direct(
                  Ids.named("opening " + i),
                  ASSET.code(),
                  WORLD,
                  id(i),
                  Amount.ofMinor(arena.opening())));
        }
      }
      ledger.open(accounts);
      ledger.post(new PostRequest(funding));
    }
  }

  static AccountId id(int account) {
    return AccountId.of("a:" + account);
  }

  private record PartitaStage(PostgresLedger ledger, Arena arena) implements Stage {

    @Override
    public Worker worker() {
      return new Worker() {
        @Override
        public Answer perform(Operation operation) {
          return post(operation);
        }

        @Override
        public void close() {}
      };
    }

    private Answer post(Operation operation) {
      try {
        List<PostItem> items = new ArrayList<>(operation.size());
        for (Movement each : operation.movements()) {
          items.add(request(each));
        }
        return answer(ledger.post(new PostRequest(items)).transfers());
      } catch (UnavailableException e) {
        return Answer.failed(outcome(e));
      }
    }

    private static TransferRequest request(Movement each) {
      return TransferRequest.direct(
          each.id(), ASSET.code(), id(each.from()), id(each.to()), Amount.ofMinor(each.amount()));
    }

    private static Answer answer(List<TransferResult> results) {
      int committed = 0;
      int rejected = 0;
      int replayed = 0;
      for (TransferResult each : results) {
        switch (each.status()) {
          case CREATED -> committed++;
          case EXISTS -> replayed++;
          default -> rejected++;
        }
      }
      return Answer.of(committed, rejected, replayed);
    }

    private static Outcome outcome(UnavailableException e) {
      if (e.outcome() == UnavailableException.Outcome.UNKNOWN) {
        return Outcome.INDETERMINATE;
      }
      return switch (e.reason()) {
        case CONTENTION, CONFLICT -> Outcome.CONFLICT;
        case TIMED_OUT, QUEUE_FULL, WITHDRAWN -> Outcome.TIMEOUT;
        case CLOSED, DATABASE_UNAVAILABLE -> Outcome.TRANSIENT;
        case DATABASE_ERROR -> Outcome.ERROR;
      };
    }

    /** Without the openings: what a client's journal knows. */
    @Override
    public Stored stored() {
      String lines =
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
      return new Stored(
              "SELECT DISTINCT ON (account) account, after AS amount FROM ("
                  + lines
                  + ") l ORDER BY account, line DESC",
              "SELECT transfer, account, amount FROM (" + lines + ") l WHERE NOT funding",
              "SELECT account, line, amount, after FROM (" + lines + ") l",
              "{schema}.transfer")
          .in(arena);
    }

    @Override
    public void close() {
      ledger.close();
    }
  }
}
