package dev.partita.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import java.time.Duration;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;

/** A client and a server that answers as told. */
abstract class ClientFixture {

  static final UUID ID = Ids.parse("id", "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b");
  static final AccountId ACCOUNT = AccountId.of("sales");
  static final PostRequest POST =
      PostRequest.of(
          TransferRequest.direct(
              ID, new AssetCode("EUR"), ACCOUNT, AccountId.of("fees"), Amount.ofMinor(150)));
  static final String REFUSED =
      "{\"results\":[{\"transfers\":[{\"id\":\""
          + ID
          + "\",\"status\":\"INSUFFICIENT_FUNDS\",\"account\":\"sales\"}]}]}";
  static final Duration LONG = Duration.ofSeconds(60);
  static final Duration SHORT = Duration.ofMillis(200);

  final FakeServer server = new FakeServer();
  PartitaClient client = client(LONG, LONG);

  @AfterEach
  void close() {
    server.close();
    client.close();
  }

  PartitaClient client(Duration requestTimeout, Duration patience) {
    return new PartitaClient(
        PartitaClientConfig.builder(server.uri())
            .requestTimeout(requestTimeout)
            .patience(patience)
            .build());
  }

  static UnavailableException unavailable(ThrowingCallable call) {
    UnavailableException unavailable = catchThrowableOfType(UnavailableException.class, call);
    assertThat(unavailable).isNotNull();
    return unavailable;
  }
}
