package dev.partita.lab.contender;

import dev.partita.UnavailableException;
import dev.partita.client.PartitaClient;
import dev.partita.client.PartitaClientConfig;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Worker;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Partita over HTTP: the server is a process of its own, so that what it costs and what its clients
 * cost can be told apart. It is asked by plain sockets, which cost as little as a client can, or by
 * the Java client that users have.
 */
public final class PartitaHttp implements Contender {

  /** Who asks. */
  public enum Client {
    /** A socket for each caller; a request is one write, and an answer is looked through. */
    PLAIN,
    /** One {@code PartitaClient} for all callers. */
    JAVA
  }

  /** One process for all: a new one for every cell would be measured while it warms up. */
  private static final LedgerServerProcess PROCESS = new LedgerServerProcess();

  private final Client client;

  /** Asked by this client. */
  public PartitaHttp(Client client) {
    this.client = client;
  }

  @Override
  public Card card() {
    boolean plain = client == Client.PLAIN;
    return new Card(
            plain ? "partita-http" : "partita-client",
            (plain
                    ? "a request an operation, over a kept connection for each caller, written and"
                        + " read by the lab itself on plain sockets"
                    : "a request an operation through PartitaClient, Java's HTTP client under it")
                + "; the server is a process of its own, and makes batches of what arrives"
                + " meanwhile",
            "",
            List.of("POST /v1/transfers, of one transfer or of all the caller has"),
            1,
            "READ COMMITTED",
            plain ? "status of every transfer, counted in the answer" : "status of every transfer",
            Integer.MAX_VALUE)
        .durable("a commit with synchronous_commit on, set by the server's own connection")
        .holding(0);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES, Ability.UNIQUE_IDS);
  }

  @Override
  public Stage stage(Arena arena) throws IOException {
    PartitaBooks.prepare(arena, "partita-lab-opening");
    URI address = PROCESS.open(arena.login(), arena.schema());
    return switch (client) {
      case PLAIN -> new PlainStage(arena, address);
      case JAVA ->
          new ClientStage(arena, new PartitaClient(PartitaClientConfig.builder(address).build()));
    };
  }

  private record PlainStage(Arena arena, URI address) implements Stage {

    @Override
    public Worker worker() {
      return new PlainHttp(address);
    }

    @Override
    public Stored stored() {
      return PartitaBooks.stored(arena);
    }

    @Override
    public Optional<ProcessHandle> process() {
      return Optional.of(PROCESS.handle());
    }

    @Override
    public void close() throws IOException {
      PROCESS.close();
    }
  }

  private record ClientStage(Arena arena, PartitaClient ledger) implements Stage {

    @Override
    public Worker worker() {
      return new Worker() {
        @Override
        public Answer perform(Operation operation) {
          try {
            return PartitaBooks.answer(ledger.post(PartitaBooks.request(operation)));
          } catch (UnavailableException e) {
            return Answer.failed(PartitaBooks.outcome(e));
          }
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Stored stored() {
      return PartitaBooks.stored(arena);
    }

    @Override
    public Optional<ProcessHandle> process() {
      return Optional.of(PROCESS.handle());
    }

    @Override
    public void close() throws IOException {
      ledger.close();
      PROCESS.close();
    }
  }
}
