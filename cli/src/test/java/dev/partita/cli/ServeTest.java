package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.cli.Commands.Ran;
import dev.partita.client.PartitaClient;
import dev.partita.client.PartitaClientConfig;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ServeTest {

  private static final TransferRequest TRANSFER =
      TransferRequest.direct(
          Ids.named("top-up"),
          new AssetCode("EUR"),
          AccountId.of("till"),
          AccountId.of("wallet:1"),
          Amount.ofMinor(25_00));

  private final Commands commands = new Commands().withWallets();

  @Test
  void answersUntilItIsInterruptedAndThenEndsInGoodOrder() throws Exception {
    RunningCommand serve = RunningCommand.start(commands, "serve", "--port", "0");
    String greeting = serve.line();
    assertThat(greeting).startsWith("Partita listens on http://127.0.0.1:");
    assertThat(serve.line()).startsWith("No API key was ever created");
    URI server = URI.create(greeting.substring(greeting.indexOf("http")));

    try (Ledger client = new PartitaClient(PartitaClientConfig.of(server))) {
      assertThat(client.post(TRANSFER).status()).isEqualTo(TransferStatus.CREATED);
      assertThat(client.post(TRANSFER).status()).isEqualTo(TransferStatus.EXISTS);
    }
    assertThat(commands.ok("balance wallet:1").out()).contains("25.00");

    assertThat(serve.interrupt()).isEqualTo(ExitCode.OK.number());
    assertThat(serve.errors()).contains("stopped");
    assertThat(commands.closed).isEqualTo(commands.opened);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--host 0.0.0.0", "--host no.such.host.invalid", "--port 65536", "--port -1"})
  void refusesToListenWhereItMustNot(String option) {
    Ran refused = commands.run(("serve " + option + " --output json").split(" ", -1));
    assertThat(refused.exitCode()).isEqualTo(ExitCode.MISUSE.number());
    assertThat(refused.error().get("message").stringValue()).contains(option.split(" ", -1)[0]);
    assertThat(commands.opened).isZero();
  }
}
