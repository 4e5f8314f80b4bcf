package dev.partita.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AssetCode;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.TransferQuery;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.net.URI;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client sends, and when it sends nothing. */
class RequestsTest extends ClientFixture {

  private static final String NO_TRANSFERS = "{\"transfers\":[]}";

  @Test
  void amountsAreMinorUnits() {
    server.thenJson(REFUSED);

    client.post(POST);

    FakeServer.Received request = server.received().getFirst();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.target()).isEqualTo("/v1/transfers?amounts=minor");
    assertThat(request.headers().getFirst("Content-Type")).isEqualTo("application/json");
    assertThat(request.headers().containsKey("Authorization")).isFalse();
    assertThat(request.body()).contains("\"amount\":\"150\"");
  }

  @Test
  void theKeyIsSentAndThePathOfTheBaseComesFirst() {
    server.thenJson("{\"assets\":[]}");
    PartitaClientConfig config =
        PartitaClientConfig.builder(URI.create(server.uri() + "/ledger/")).apiKey("k-1").build();
    try (PartitaClient other = new PartitaClient(config)) {
      other.assets();
    }

    FakeServer.Received request = server.received().getFirst();
    assertThat(request.target()).isEqualTo("/ledger/v1/assets");
    assertThat(request.headers().getFirst("Authorization")).isEqualTo("Bearer k-1");
  }

  @ParameterizedTest
  @CsvSource({
    "sales:42:eur,/v1/accounts/sales%3A42%3Aeur?amounts=minor",
    "..,/v1/accounts/%2E%2E?amounts=minor",
    "a.b-c_d,/v1/accounts/a.b-c_d?amounts=minor"
  })
  void anAccountIsOneSegmentOfThePath(String id, String target) {
    server.thenProblem(404, "\"code\":\"account_not_found\",\"detail\":\"d\"");

    client.account(AccountId.of(id));

    assertThat(server.received().getFirst().target()).isEqualTo(target);
  }

  @Test
  void criteriaAreParametersAndWhatIsNotAskedIsLeftOut() {
    server.thenJson(NO_TRANSFERS).thenJson("{\"accounts\":[]}");

    client.find(
        TransferQuery.reference("a b&c=ü+", 7)
            .recorded(Instant.parse("2026-01-31T00:00:00Z"), null)
            .from(""));
    client.accounts(new AccountQuery("sales:", new AssetCode("EUR"), 5, null, 9));

    assertThat(server.received().get(0).target())
        .isEqualTo(
            "/v1/transfers?reference=a%20b%26c%3D%C3%BC%2B&from=2026-01-31T00%3A00%3A00Z"
                + "&cursor=&limit=7&amounts=minor");
    assertThat(server.received().get(1).target())
        .isEqualTo("/v1/accounts?prefix=sales%3A&asset=EUR&code=5&limit=9&amounts=minor");
  }

  @Test
  void whatCannotBeMeantIsNotSent() {
    List<NewAccount> many = Collections.nCopies(10_001, NewAccount.of("a", "EUR"));

    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> client.open(many));
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> client.expireDue(0));
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> client.journal(null, 10_001));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> client.transfers(Collections.nCopies(10_001, ID)));
    assertThat(server.received()).isEmpty();
  }

  @Test
  void submittingAnswersWithoutBlocking() throws Exception {
    server.thenJson(REFUSED).thenProblem(429, "\"code\":\"queue_full\",\"detail\":\"d\"");

    assertThat(client.submit(POST).get(60, TimeUnit.SECONDS).transfers()).hasSize(1);
    CompletableFuture<?> refused = client.submit(POST);
    assertThat(refused)
        .failsWithin(LONG)
        .withThrowableThat()
        .havingCause()
        .asInstanceOf(type(UnavailableException.class))
        .extracting(UnavailableException::reason)
        .isEqualTo(Reason.QUEUE_FULL);
  }

  @Test
  void aClosedClientSendsNothing() {
    client.close();
    client.close();

    for (Throwable refusal :
        List.of(
            catchThrowable(() -> client.post(POST)),
            catchThrowable(() -> client.submit(POST).join()).getCause(),
            catchThrowable(client::assets))) {
      assertThat(refusal)
          .asInstanceOf(type(UnavailableException.class))
          .returns(Reason.CLOSED, UnavailableException::reason)
          .returns(Outcome.NOT_POSTED, UnavailableException::outcome);
    }
    assertThat(server.received()).isEmpty();
  }

  @Test
  void anAnswerLargerThanTheBoundIsRefused() {
    server.thenJson("{\"assets\":[" + " ".repeat(2_000) + "]}");
    PartitaClientConfig config =
        PartitaClientConfig.builder(server.uri()).answerBytesMax(1_024).build();
    try (PartitaClient small = new PartitaClient(config)) {
      assertThat(unavailable(small::assets)).hasMessageContaining("1024 bytes");
    }
  }
}
