package dev.partita.lab.contender;

import com.tigerbeetle.AccountBatch;
import com.tigerbeetle.AccountFlags;
import com.tigerbeetle.Client;
import com.tigerbeetle.CreateAccountResultBatch;
import com.tigerbeetle.CreateTransferResult;
import com.tigerbeetle.CreateTransferResultBatch;
import com.tigerbeetle.InitializationException;
import com.tigerbeetle.TransferBatch;
import com.tigerbeetle.UInt128;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Worker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Accounts on a TigerBeetle cluster. The only classes that know its client are this and its copy.
 */
final class TigerBeetleStage implements Stage {

  /** What fits into one message. */
  static final int BATCH_MAX = 8_000;

  /** The client itself tries for ever. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Arena arena;
  private final Client client;
  private final int ledger;

  private TigerBeetleStage(Arena arena, Client client, int ledger) {
    this.arena = arena;
    this.client = client;
    this.ledger = ledger;
  }

  /** Connects and makes the accounts, in a ledger of their own: a cluster keeps what it has. */
  static TigerBeetleStage open(Arena arena, String addresses) throws SQLException {
    Client client;
    try {
      client = new Client(UInt128.asBytes(0), addresses.split(",", -1));
    } catch (InitializationException | IllegalArgumentException e) {
      throw new MisuseException(
          "tigerbeetle", "cannot connect to \"" + addresses + "\": " + e.getMessage());
    }
    int ledger = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
    TigerBeetleStage stage = new TigerBeetleStage(arena, client, ledger);
    try {
      arena.run(TigerBeetleCopy.TABLES);
      stage.openAccounts();
      return stage;
    } catch (RuntimeException | SQLException e) {
      client.close();
      throw e;
    }
  }

  private void openAccounts() {
    AccountBatch world = new AccountBatch(1);
    add(world, arena.accounts(), AccountFlags.NONE);
    requireNone(await(client.createAccountsAsync(world)));
    for (int first = 0; first < arena.accounts(); first += BATCH_MAX) {
      int end = Math.min(arena.accounts(), first + BATCH_MAX);
      AccountBatch accounts = new AccountBatch(end - first);
      TransferBatch openings = new TransferBatch(end - first);
      for (int i = first; i < end; i++) {
        add(accounts, i, AccountFlags.DEBITS_MUST_NOT_EXCEED_CREDITS);
        openings.add();
        openings.setId(i + 1L, ledger);
        fill(openings, arena.accounts(), i, arena.opening());
      }
      requireNone(await(client.createAccountsAsync(accounts)));
      if (arena.opening() > 0) {
        CreateTransferResultBatch failed = await(client.createTransfersAsync(openings));
        if (failed.next()) {
          throw broken("an opening", failed.getResult().toString());
        }
      }
    }
  }

  private void add(AccountBatch accounts, int account, int flags) {
    accounts.add();
    accounts.setId(account + 1L, ledger);
    accounts.setLedger(ledger);
    accounts.setCode(1);
    accounts.setFlags(flags);
  }

  private void fill(TransferBatch transfers, int from, int to, long amount) {
    transfers.setDebitAccountId(from + 1L, ledger);
    transfers.setCreditAccountId(to + 1L, ledger);
    transfers.setLedger(ledger);
    transfers.setCode(1);
    transfers.setAmount(amount);
  }

  private static void requireNone(CreateAccountResultBatch failed) {
    if (failed.next()) {
      throw broken("an account", failed.getResult().toString());
    }
  }

  private static UnavailableException broken(String what, String how) {
    return new UnavailableException(
        UnavailableException.Reason.DATABASE_ERROR,
        UnavailableException.Outcome.NOT_POSTED,
        "TigerBeetle refused " + what + ": " + how,
        null);
  }

  /** Waits for an answer, but not for ever. */
  static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw silent(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw silent(e);
    }
  }

  private static UnavailableException silent(Exception cause) {
    return new UnavailableException(
        UnavailableException.Reason.DATABASE_UNAVAILABLE,
        UnavailableException.Outcome.UNKNOWN,
        "TigerBeetle did not answer in " + PATIENCE.toSeconds() + " s",
        cause);
  }

  @Override
  public Worker worker() {
    return new Worker() {
      @Override
      public Answer perform(Operation operation) {
        return post(operation.movements());
      }

      @Override
      public void close() {}
    };
  }

  private Answer post(List<Movement> movements) {
    int rejected = 0;
    int replayed = 0;
    try {
      for (int first = 0; first < movements.size(); first += BATCH_MAX) {
        List<Movement> part =
            movements.subList(first, Math.min(movements.size(), first + BATCH_MAX));
        CreateTransferResultBatch failed = await(client.createTransfersAsync(batch(part)));
        while (failed.next()) {
          switch (outcome(failed.getResult())) {
            case REPLAYED -> replayed++;
            case REJECTED -> rejected++;
            default -> {
              return Answer.failed(Outcome.ERROR);
            }
          }
        }
      }
    } catch (UnavailableException | IllegalStateException e) {
      return Answer.failed(Outcome.INDETERMINATE);
    }
    return Answer.of(movements.size() - rejected - replayed, rejected, replayed);
  }

  private TransferBatch batch(List<Movement> movements) {
    TransferBatch transfers = new TransferBatch(movements.size());
    for (Movement each : movements) {
      transfers.add();
      transfers.setId(UInt128.asBytes(each.id()));
      fill(transfers, each.from(), each.to(), each.amount());
    }
    return transfers;
  }

  /** What it means that a transfer is listed as not made. */
  static Outcome outcome(CreateTransferResult result) {
    return switch (result) {
      case Exists -> Outcome.REPLAYED;
      case ExceedsCredits, ExceedsDebits, IdAlreadyFailed -> Outcome.REJECTED;
      default -> Outcome.ERROR;
    };
  }

  /**
   * Copies everything into the arena's schema first.
   *
   * @throws UnavailableException if that fails: then nothing is known
   */
  @Override
  public Stored stored() {
    try {
      TigerBeetleCopy.copy(client, ledger, arena);
    } catch (SQLException e) {
      throw new UnavailableException(
          UnavailableException.Reason.DATABASE_ERROR,
          UnavailableException.Outcome.NOT_POSTED,
          "what TigerBeetle has stored could not be copied into " + arena.schema(),
          e);
    }
    return TigerBeetleCopy.STORED.in(arena);
  }

  @Override
  public void close() {
    client.close();
  }
}
