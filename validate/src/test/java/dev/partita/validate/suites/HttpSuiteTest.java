package dev.partita.validate.suites;

import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bank holds through HTTP, and each fault that is planted is found by the check it is for. */
class HttpSuiteTest {

  private static Runs runs;

  @BeforeAll
  static void open() throws IOException {
    runs = new Runs();
  }

  @AfterAll
  static void close() throws IOException {
    runs.close();
  }

  @Test
  @Tag("slow")
  void holdsInADatabaseThatIsGiven() {
    runs.held(new HttpSuite(TestServe.Honest.class), runs.given());
  }

  /** As a client or a proxy does that repeats what got no answer as if it were new. */
  @Test
  void findsAClientThatRepeatsUnderAnotherId() {
    Seam again =
        new Seam() {
          @Override
          public Ledger ledger(Ledger real) {
            return Lying.about(
                real,
                item -> {
                  if (item instanceof TransferRequest sent && sent.kind() == TransferKind.DIRECT) {
                    real.post(
                        TransferRequest.direct(
                            Ids.named("again " + sent.id()),
                            sent.asset(),
                            sent.debit(),
                            sent.credit(),
                            sent.amount()));
                  }
                });
          }
        };
    runs.violated(
        new HttpSuite(TestServe.Honest.class, again),
        runs.given(),
        "nothing is stored that nobody sent");
  }

  @Test
  void findsAServerThatAnswersBeforeItsCommit() {
    runs.violated(
        new HttpSuite(TestServe.Hasty.class),
        runs.given(),
        "every acknowledged transfer is stored exactly once");
  }
}
