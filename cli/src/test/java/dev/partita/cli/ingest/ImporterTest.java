package dev.partita.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.NewAccount;
import dev.partita.Progress;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.ManualClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a request is repeated that the ledger did not answer. */
class ImporterTest {

  private final InMemoryLedger ledger = new InMemoryLedger(new ManualClock());
  private final AtomicInteger posts = new AtomicInteger();
  private final Tally tally = new Tally(request -> "all", rejection -> {});

  @BeforeEach
  void open() {
    ledger.register(List.of(Asset.iso("EUR")));
    ledger.open(List.of(NewAccount.of("a", "EUR"), NewAccount.of("b", "EUR")));
  }

  /** A ledger that does not answer the first posts. */
  private Ledger failing(int times, Reason reason) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals("post") && posts.incrementAndGet() <= times) {
                throw new UnavailableException(reason, Outcome.NOT_POSTED, "by the test", null);
              }
              try {
                return called.invoke(ledger, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void run(Ledger failing, Duration patience) throws InterruptedException {
    TransferRequest request =
        TransferRequest.direct(
            Ids.named("one"),
            new AssetCode("EUR"),
            AccountId.of("a"),
            AccountId.of("b"),
            Amount.ofMinor(1));
    AtomicInteger rows = new AtomicInteger();
    new Importer(failing, one -> 0, tally, Progress.NONE, patience)
        .run(() -> rows.incrementAndGet() == 1 ? new Rows.Next.Ready(new Row(1, request)) : null);
  }

  @Test
  void repeatsWhatMayGoAway() throws InterruptedException {
    run(failing(2, Reason.QUEUE_FULL), Duration.ofMinutes(1));
    assertThat(posts).hasValue(3);
    assertThat(tally.answered()).isEqualTo(1);
  }

  @Test
  void doesNotRepeatWhatTheLedgerHasTriedForLongEnough() {
    Ledger dead = failing(Integer.MAX_VALUE, Reason.TIMED_OUT);
    assertThatThrownBy(() -> run(dead, Duration.ZERO)).isInstanceOf(UnavailableException.class);
    assertThat(posts).hasValue(1);
  }

  @Test
  void doesNotRepeatWhatNeverGoesAway() {
    Ledger broken = failing(Integer.MAX_VALUE, Reason.DATABASE_ERROR);
    assertThatThrownBy(() -> run(broken, Duration.ofMinutes(1)))
        .isInstanceOf(UnavailableException.class);
    assertThat(posts).hasValue(1);
  }
}
