package dev.partita.server;

import dev.partita.Ledger;
import dev.partita.TimeSource;
import dev.partita.client.PartitaClient;
import dev.partita.client.PartitaClientConfig;
import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.LedgerConformance;
import dev.partita.testkit.LedgerUnderTest;
import java.util.IdentityHashMap;

/** The client obeys the rules of an engine, through HTTP, the server and the ledger behind it. */
class ServerConformanceTest extends LedgerConformance {

  private final Remote remote = new Remote();

  @Override
  protected LedgerUnderTest ledgerUnderTest() {
    return remote;
  }

  /** A client is what is tested; its server and ledger are disposed of together with it. */
  private static final class Remote implements LedgerUnderTest {

    private final IdentityHashMap<Ledger, TestServer> servers = new IdentityHashMap<>();

    @Override
    public Ledger open(TimeSource clock) {
      TestServer server = TestServer.over(new InMemoryLedger(clock));
      PartitaClient client = new PartitaClient(PartitaClientConfig.of(server.server.uri()));
      servers.put(client, server);
      return client;
    }

    @Override
    public void dispose(Ledger client) {
      client.close();
      TestServer server = servers.remove(client);
      if (server != null) {
        server.close();
      }
    }
  }
}
