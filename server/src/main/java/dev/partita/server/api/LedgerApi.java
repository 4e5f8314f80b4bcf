package dev.partita.server.api;

import dev.partita.Ledger;
import dev.partita.server.health.Health;
import dev.partita.server.http.Route;
import java.util.List;
import java.util.stream.Stream;

/** The whole API over one ledger. Closing it ends the verification that may be running. */
public final class LedgerApi implements AutoCloseable {

  private final Verifications verifications;
  private final Changes changes;
  private final List<Route> routes;

  /**
   * The API over a ledger, which stays the caller's to close.
   *
   * @param version of this program, as {@code /v1/info} tells it
   * @param health of the server
   * @param bodyBytesMax longest body that is read
   */
  public LedgerApi(Ledger ledger, String version, Health health, long bodyBytesMax) {
    Forms forms = new Forms(new AssetCatalog(ledger), bodyBytesMax);
    verifications = new Verifications(ledger);
    changes = new Changes(ledger, forms);
    routes =
        Stream.of(
                new Assets(ledger, forms).routes(),
                new Accounts(ledger, forms).routes(),
                new Transfers(ledger, forms).routes(),
                new Holds(ledger, forms).routes(),
                new Reports(ledger, forms).routes(),
                changes.routes(),
                verifications.routes(),
                new Service(version, health).routes())
            .flatMap(List::stream)
            .toList();
  }

  /** The routes, in the order of the documentation. */
  public List<Route> routes() {
    return routes;
  }

  /** Ends the streams of the change feed, whose clients would not end them. */
  public void closeStreams() {
    changes.close();
  }

  @Override
  public void close() {
    changes.close();
    verifications.close();
  }
}
