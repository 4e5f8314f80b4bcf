package dev.partita.lab.contender;

import dev.partita.UnavailableException;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Worker;
import dev.partita.postgres.PostgresLedger;
import java.util.List;
import java.util.Set;

/**
 * Partita in this process: every caller posts its own operation and gets its own answer; one
 * connection commits what arrives meanwhile as one batch. An operation of many transfers is one
 * request of single transfers.
 */
public final class Partita implements Contender {

  @Override
  public Card card() {
    return new Card(
            "partita",
            "one call a transfer; what arrives while a batch is being committed is the next batch",
            "",
            List.of(
                "BEGIN; lock; number of the batch; records, if nobody else took a number; COMMIT (one"
                    + " round trip)",
                "if somebody did: BEGIN; lock; look up; clock (one round trip); records; COMMIT (one"
                    + " round trip)"),
            1,
            "READ COMMITTED",
            "status of every transfer",
            Integer.MAX_VALUE)
        .durable("a commit with synchronous_commit on, set by its own connection")
        .holding(0);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES, Ability.UNIQUE_IDS);
  }

  @Override
  public Stage stage(Arena arena) {
    return new PartitaStage(PartitaBooks.open(arena, "partita-lab-partita"), arena);
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
        return PartitaBooks.answer(ledger.post(PartitaBooks.request(operation)));
      } catch (UnavailableException e) {
        return Answer.failed(PartitaBooks.outcome(e));
      }
    }

    @Override
    public Stored stored() {
      return PartitaBooks.stored(arena);
    }

    @Override
    public void close() {
      ledger.close();
    }
  }
}
