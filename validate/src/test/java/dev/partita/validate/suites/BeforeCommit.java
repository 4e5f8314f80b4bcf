package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.postgres.PostgresLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A ledger that answers every tenth single transfer as soon as it is decided, before its commit,
 * which then does not come about.
 */
final class BeforeCommit {

  private static final int EVERY = 10;

  private final PostgresLedger real;
  private final DataSource source;
  private final AtomicInteger count = new AtomicInteger();

  private BeforeCommit(PostgresLedger real, DataSource source) {
    this.real = real;
    this.source = source;
  }

  static Ledger of(PostgresLedger real, DataSource source) {
    BeforeCommit hasty = new BeforeCommit(real, source);
    return Proxies.proxy(
        Ledger.class,
        (method, arguments) ->
            method.getReturnType() == PostResult.class
                    && arguments[0] instanceof PostRequest request
                    && request.items().size() == 1
                    && request.items().getFirst() instanceof TransferRequest transfer
                    && transfer.kind() == TransferKind.DIRECT
                    && hasty.count.incrementAndGet() % EVERY == 0
                ? hasty.post(transfer)
                : Proxies.call(real, method, arguments));
  }

  private PostResult post(TransferRequest transfer) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      TransferResult result = real.inTransaction(connection).post(transfer);
      connection.rollback();
      return new PostResult(List.of(new PostResult.Item(List.of(result))));
    }
  }
}
