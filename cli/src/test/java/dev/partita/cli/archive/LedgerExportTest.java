package dev.partita.cli.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.NewAccount;
import dev.partita.Page;
import dev.partita.Progress;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.ManualClock;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an export has while others post. */
class LedgerExportTest {

  private final InMemoryLedger ledger = new InMemoryLedger(new ManualClock());

  LedgerExportTest() {
    ledger.register(List.of(Asset.iso("EUR")));
    ledger.open(List.of(NewAccount.of("a", "EUR"), NewAccount.of("b", "EUR")));
    post("one");
    post("two");
  }

  private void post(String name) {
    ledger
        .post(
            TransferRequest.direct(
                Ids.named(name),
                new AssetCode("EUR"),
                AccountId.of("a"),
                AccountId.of("b"),
                Amount.ofMinor(1)))
        .orThrow();
  }

  /** The ledger, with something done before each answer of one method. */
  private Ledger with(String method, Runnable before, int itemsMax) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, called, arguments) -> {
              boolean meant = called.getName().equals(method);
              if (meant) {
                before.run();
              }
              try {
                Object answer = called.invoke(ledger, arguments);
                return meant && answer instanceof Page<?> page && page.items().size() > itemsMax
                    ? new Page<>(page.items().subList(0, itemsMax), "later")
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void failsWhileWhatIsRecordedIsNotFinal() {
    StringWriter out = new StringWriter();
    LedgerExport export =
        new LedgerExport(with("journal", () -> {}, 1), out, Progress.NONE, Duration.ZERO);
    assertThatThrownBy(export::run)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("stays open")
        .hasMessageContaining("export again");
    assertThat(out.toString()).doesNotContain("\"end\"");
  }

  @Test
  void countsWhatOthersRecordMeanwhile() throws Exception {
    StringWriter out = new StringWriter();
    int[] posted = {0};
    Ledger busy = with("accounts", () -> post("meanwhile " + posted[0]++), Integer.MAX_VALUE);
    LedgerExport.Result result = new LedgerExport(busy, out, Progress.NONE, Duration.ZERO).run();
    assertThat(posted[0]).isEqualTo(2);
    assertThat(result.counts().transfers()).isEqualTo(3);
    assertThat(result.notIncluded()).isEqualTo(1);
  }
}
