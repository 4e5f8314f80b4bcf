package dev.partita.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Account;
import dev.partita.UnavailableException;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

class ProblemTest {

  private static final JsonReader READER = new JsonReader(Amounts.MINOR);

  @Test
  void fieldsThatAreNotKnownArePassedOver() {
    Problem problem =
        read(
            """
            {"type":"about:blank","title":"Service Unavailable","status":503,"code":"unavailable",
             "detail":"later","reason":"TIMED_OUT","outcome":"UNKNOWN","requestId":"r1","more":[1]}""");

    assertThat(problem)
        .isEqualTo(
            new Problem(
                503,
                "unavailable",
                "later",
                null,
                null,
                "r1",
                UnavailableException.Reason.TIMED_OUT,
                UnavailableException.Outcome.UNKNOWN,
                null));
  }

  @Test
  void anAccountIsReadAsItStands() {
    Account account = new RandomValues(1).account();
    String text =
        new String(
            JsonDocuments.bytes(out -> new JsonWriter(Amounts.MINOR).write(out, account)), UTF_8);

    assertThat(
            read("{\"status\":409,\"code\":\"changed_meanwhile\",\"detail\":\"d\",\"account\":"
                    + text
                    + "}")
                .account())
        .isEqualTo(account);
  }

  @Test
  void theNameOfAnAccountIsNotAnAccount() {
    assertThat(
            read("{\"status\":404,\"code\":\"account_not_found\",\"detail\":\"d\",\"account\":\"a\"}")
                .account())
        .isNull();
  }

  @Test
  void aFailedVerificationTellsWhy() {
    String text =
        """
        {"id":"v","state":"FAILED","done":1,"total":2,
         "problem":{"title":"x","status":500,"code":"corruption","detail":"d"}}""";

    Problem problem =
        READER.readVerification(new ByteArrayInputStream(text.getBytes(UTF_8))).problem();

    assertThat(problem).isNotNull().extracting(Problem::code).isEqualTo("corruption");
  }

  private static Problem read(String text) {
    return READER.readProblem(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }
}
