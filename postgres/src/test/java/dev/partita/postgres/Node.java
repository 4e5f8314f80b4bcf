package dev.partita.postgres;

import dev.partita.Asset;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.RegisterResult;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/**
 * The writing half of a ledger, wired as an open ledger wires it. Several on one schema are nodes.
 */
final class Node implements AutoCloseable {

  private final Writer writer;
  private final AccountWriter accounts;
  private final Sweeper sweeper;

  private Node(DataSource dataSource, PostgresConfig config) {
    writer = new Writer(dataSource, config);
    accounts = new AccountWriter(dataSource, config, writer.lookUp());
    Duration interval = config.sweepInterval();
    sweeper = interval == null ? null : new Sweeper(writer, interval);
  }

  static Node open(DataSource dataSource, PostgresConfig config) {
    Node node = new Node(dataSource, config);
    node.writer.start();
    if (node.sweeper != null) {
      Thread.ofPlatform().daemon().name("partita-sweeper").start(node.sweeper);
    }
    return node;
  }

  List<RegisterResult> register(List<Asset> assets) {
    return accounts.register(assets);
  }

  List<OpenResult> open(List<NewAccount> newAccounts) {
    return accounts.open(newAccounts);
  }

  ChangeResult change(ChangeRequest change) {
    return accounts.change(change);
  }

  PostResult post(PostRequest request) {
    return writer.post(request);
  }

  PostResult.Item post(PostItem item) {
    return writer.post(PostRequest.of(item)).items().getFirst();
  }

  TransferResult post(TransferRequest transfer) {
    return writer.post(PostRequest.of(transfer)).transfers().getFirst();
  }

  CompletableFuture<PostResult> submit(PostRequest request) {
    return writer.submit(request);
  }

  List<Transfer> expireDue(int limit) {
    return writer.expireDue(limit);
  }

  InTransaction inTransaction(Connection connection) {
    return writer.inTransaction(connection);
  }

  @Override
  public void close() {
    if (sweeper != null) {
      sweeper.close();
    }
    writer.close();
  }
}
