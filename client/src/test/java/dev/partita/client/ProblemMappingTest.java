package dev.partita.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.Account;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import dev.partita.StatementQuery;
import dev.partita.TransferQuery;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.UnknownAccountException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A problem becomes the exception that an engine in process throws. */
class ProblemMappingTest extends ClientFixture {

  private static final String ACCOUNT_DOCUMENT =
      """
      {"id":"sales","asset":"EUR","normal":"CREDIT","code":0,"version":0,"debitsPosted":"0",\
      "creditsPosted":"0","debitsPending":"0","creditsPending":"0",\
      "openedAt":"2026-01-31T00:00:00.000000Z","lastChange":3}""";

  @Test
  void aFullQueueIsQueueFull() {
    server.thenProblem(429, "\"code\":\"queue_full\",\"detail\":\"slow down\"");

    UnavailableException failure = unavailable(() -> client.post(POST));

    assertThat(failure.reason()).isEqualTo(Reason.QUEUE_FULL);
    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_POSTED);
    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"TIMED_OUT,UNKNOWN", "CONTENTION,NOT_POSTED", "DATABASE_UNAVAILABLE,UNKNOWN"})
  void whatIsUnavailableKeepsItsReasonAndOutcome(Reason reason, Outcome outcome) {
    server.thenProblem(
        503,
        "\"code\":\"unavailable\",\"detail\":\"d\",\"requestId\":\"r-7\",\"reason\":\"%s\",\"outcome\":\"%s\""
            .formatted(reason, outcome));

    UnavailableException failure = unavailable(() -> client.post(POST));

    assertThat(failure.reason()).isEqualTo(reason);
    assertThat(failure.outcome()).isEqualTo(outcome);
    assertThat(failure).hasMessageContaining("r-7");
  }

  @Test
  void anInternalFailureLeavesAPostUnknownAndAReadNot() {
    server.thenProblem(500, "\"code\":\"internal\",\"detail\":\"d\"");
    server.thenProblem(500, "\"code\":\"internal\",\"detail\":\"d\"");

    assertThat(unavailable(() -> client.post(POST)).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(unavailable(client::assets).outcome()).isEqualTo(Outcome.NOT_POSTED);
  }

  @Test
  void corruptionIsCorruption() {
    server.thenProblem(500, "\"code\":\"corruption\",\"detail\":\"a counter is wrong\"");

    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(client::trialBalance)
        .withMessageContaining("a counter is wrong");
  }

  @Test
  void aParameterAtFaultIsTheFieldAtFault() {
    server.thenProblem(
        400,
        "\"code\":\"invalid_parameter\",\"detail\":\"cursor: is not of this query\",\"parameter\":\"cursor\"");

    MisuseException misuse = misuse(() -> client.journal("x", 10));

    assertThat(misuse.field()).isEqualTo("cursor");
    assertThat(misuse).hasMessage("cursor: is not of this query");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "/items/3/amount,3,amount",
        "/items/12/group/members/4/id,12,members[4].id",
        "/items/3,3,-",
        "/limit,-,limit",
        "/items,-,items"
      })
  void aPlaceInTheBodyIsItemAndField(String pointer, Integer item, String field) {
    server.thenProblem(
        400,
        "\"code\":\"invalid_value\",\"detail\":\"%s: is wrong\",\"pointer\":\"%s\""
            .formatted(pointer, pointer));

    MisuseException misuse = misuse(() -> client.post(POST));

    assertThat(misuse.item()).isEqualTo(item);
    assertThat(misuse.field()).isEqualTo(field);
    assertThat(misuse).message().endsWith(": is wrong").doesNotContain(pointer + ": is wrong: ");
  }

  @Test
  void anUnknownAccountIsTheOneThatWasNamed() {
    String problem = "\"code\":\"account_not_found\",\"detail\":\"d\",\"account\":\"sales\"";
    for (int i = 0; i < 4; i++) {
      server.thenProblem(404, problem);
    }

    for (Runnable call :
        List.<Runnable>of(
            () -> client.balance(ACCOUNT),
            () -> client.statement(StatementQuery.oldestFirst(ACCOUNT, 5)),
            () -> client.find(TransferQuery.account(ACCOUNT, 5)),
            () -> client.change(ChangeRequest.of(ACCOUNT).close()))) {
      assertThat(catchThrowableOfType(UnknownAccountException.class, call::run).account())
          .isEqualTo(ACCOUNT);
    }
  }

  @Test
  void anAccountThatIsNotThereIsEmpty() {
    server.thenProblem(404, "\"code\":\"account_not_found\",\"detail\":\"d\"");
    server.thenProblem(404, "\"code\":\"not_found\",\"detail\":\"no such address\"");

    assertThat(client.account(ACCOUNT)).isEmpty();
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> client.account(ACCOUNT));
  }

  @Test
  void aChangeThatCameTooLateIsAnAnswerWithTheAccount() {
    server.thenProblem(
        409, "\"code\":\"changed_meanwhile\",\"detail\":\"d\",\"account\":" + ACCOUNT_DOCUMENT);

    ChangeResult result = client.change(ChangeRequest.of(ACCOUNT).ifChange(1).close());

    assertThat(result.status()).isEqualTo(ChangeResult.Status.CHANGED_MEANWHILE);
    assertThat(result.account().lastChange()).isEqualTo(3);
    assertThat(server.received().getFirst().body()).isEqualTo("{\"closed\":true,\"ifChange\":1}");
  }

  @Test
  void crossedLimitsAreAnAnswerWithTheAccountEvenIfItHasToBeAskedFor() {
    server
        .thenProblem(422, "\"code\":\"limits_crossed\",\"detail\":\"d\"")
        .thenJson(ACCOUNT_DOCUMENT);

    ChangeResult result = client.change(ChangeRequest.of(ACCOUNT).minBalance(Balance.ofMinor(1)));

    assertThat(result.status()).isEqualTo(ChangeResult.Status.LIMITS_CROSSED);
    assertThat(result.account()).extracting(Account::asset).isEqualTo(new AssetCode("EUR"));
  }

  @Test
  void somethingElseThanAPartitaServerIsSaidSo() {
    server.then(exchange -> FakeServer.send(exchange, 502, "text/html", "<h1>Bad Gateway</h1>"));
    server.then(exchange -> FakeServer.send(exchange, 404, "text/html", "<h1>Not here</h1>"));
    server.thenJson("<h1>Welcome</h1>");

    UnavailableException gateway = unavailable(() -> client.post(POST));
    assertThat(gateway.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(gateway).hasMessageContaining("502");
    assertThat(misuse(() -> client.post(POST))).hasMessageContaining("404");
    UnavailableException garbage = unavailable(() -> client.post(POST));
    assertThat(garbage.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(garbage).hasMessageContaining("POST /v1/transfers").hasMessageContaining("JSON");
  }

  private static MisuseException misuse(Runnable call) {
    MisuseException misuse = catchThrowableOfType(MisuseException.class, call::run);
    assertThat(misuse).isNotNull();
    return misuse;
  }
}
