package dev.partita.lab.contender;

import com.tigerbeetle.AccountBatch;
import com.tigerbeetle.AccountFilter;
import com.tigerbeetle.Client;
import com.tigerbeetle.IdBatch;
import com.tigerbeetle.TransferBatch;
import com.tigerbeetle.UInt128;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Copies what a ledger of TigerBeetle holds into tables, where it is reconciled like any other. */
final class TigerBeetleCopy {

  static final String TABLES =
      """
      CREATE TABLE {schema}.tb_account (account int PRIMARY KEY, amount numeric NOT NULL);
      CREATE TABLE {schema}.tb_transfer (
        id uuid PRIMARY KEY, payer int NOT NULL, paid int NOT NULL, amount numeric NOT NULL);
      """;

  static final Stored STORED =
      new Stored(
          "SELECT account, amount FROM {schema}.tb_account",
          "SELECT id AS transfer, payer AS account, -amount AS amount FROM {schema}.tb_transfer"
              + " UNION ALL SELECT id, paid, amount FROM {schema}.tb_transfer",
          null,
          "{schema}.tb_transfer");

  private static final String EMPTY = "TRUNCATE {schema}.tb_account, {schema}.tb_transfer";
  private static final String ACCOUNT = "INSERT INTO {schema}.tb_account VALUES (?, ?)";
  private static final String TRANSFER = "INSERT INTO {schema}.tb_transfer VALUES (?, ?, ?, ?)";

  private static final int IN_FLIGHT = 64;

  private TigerBeetleCopy() {}

  /** Copies it anew. */
  static void copy(Client client, int ledger, Arena arena) throws SQLException {
    try (Connection connection = arena.connect();
        Statement statement = connection.createStatement();
        PreparedStatement account = connection.prepareStatement(arena.text(ACCOUNT));
        PreparedStatement transfer = connection.prepareStatement(arena.text(TRANSFER))) {
      connection.setAutoCommit(false);
      statement.execute(arena.text(EMPTY));
      List<Integer> payers = copyAccounts(client, ledger, arena.accounts(), account);
      copyTransfers(client, ledger, payers, transfer);
      connection.commit();
    }
  }

  /** Answers those that ever paid. */
  private static List<Integer> copyAccounts(
      Client client, int ledger, int accounts, PreparedStatement insert) throws SQLException {
    List<Integer> payers = new ArrayList<>();
    for (int first = 0; first < accounts; first += TigerBeetleStage.BATCH_MAX) {
      int end = Math.min(accounts, first + TigerBeetleStage.BATCH_MAX);
      IdBatch ids = new IdBatch(end - first);
      for (int i = first; i < end; i++) {
        ids.add(i + 1L, ledger);
      }
      AccountBatch found = TigerBeetleStage.await(client.lookupAccountsAsync(ids));
      while (found.next()) {
        int account = number(found.getId(UInt128.LeastSignificant));
        insert.setInt(1, account);
        insert.setBigDecimal(
            2, new BigDecimal(found.getCreditsPosted().subtract(found.getDebitsPosted())));
        insert.addBatch();
        if (found.getDebitsPosted().signum() > 0) {
          payers.add(account);
        }
      }
      insert.executeBatch();
    }
    return payers;
  }

  /** What each payer paid: so every transfer but the openings is found once. */
  private static void copyTransfers(
      Client client, int ledger, List<Integer> payers, PreparedStatement insert)
      throws SQLException {
    for (int first = 0; first < payers.size(); first += IN_FLIGHT) {
      List<CompletableFuture<TransferBatch>> pages = new ArrayList<>();
      int end = Math.min(payers.size(), first + IN_FLIGHT);
      for (int i = first; i < end; i++) {
        pages.add(client.getAccountTransfersAsync(paidBy(payers.get(i), ledger, 0)));
      }
      for (int i = first; i < end; i++) {
        TransferBatch page = TigerBeetleStage.await(pages.get(i - first));
        long last = copyPage(page, insert);
        while (page.getLength() == TigerBeetleStage.BATCH_MAX) {
          page =
              TigerBeetleStage.await(
                  client.getAccountTransfersAsync(paidBy(payers.get(i), ledger, last + 1)));
          last = copyPage(page, insert);
        }
      }
    }
  }

  private static AccountFilter paidBy(int account, int ledger, long timestampMin) {
    AccountFilter filter = new AccountFilter();
    filter.setAccountId(account + 1L, ledger);
    filter.setTimestampMin(timestampMin);
    filter.setLimit(TigerBeetleStage.BATCH_MAX);
    filter.setDebits(true);
    filter.setCredits(false);
    return filter;
  }

  /** Answers the timestamp of the last one. */
  private static long copyPage(TransferBatch page, PreparedStatement insert) throws SQLException {
    long last = 0;
    while (page.next()) {
      insert.setObject(1, UInt128.asUUID(page.getId()));
      insert.setInt(2, number(page.getDebitAccountId(UInt128.LeastSignificant)));
      insert.setInt(3, number(page.getCreditAccountId(UInt128.LeastSignificant)));
      insert.setBigDecimal(4, new BigDecimal(page.getAmount()));
      insert.addBatch();
      last = page.getTimestamp();
    }
    insert.executeBatch();
    return last;
  }

  private static int number(long id) {
    return Math.toIntExact(id - 1);
  }
}
