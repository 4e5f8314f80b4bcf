package dev.partita.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.PostRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused, with which code, and where. */
class StrictReadingTest {

  private static final JsonReader MAJOR = new JsonReader(Amounts.major(RandomValues.ASSETS::get));
  private static final JsonReader MINOR = new JsonReader(Amounts.MINOR);
  private static final String ID = "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                                            | invalid_json    | ``
          `{`                                                           | invalid_json    | ``
          `{"items":[]} {}`                                             | invalid_json    | ``
          `{"items":[]}x`                                               | invalid_json    | ``
          `{"items":[],}`                                               | invalid_json    | ``
          `{'items':[]}`                                                | invalid_json    | ``
          `{"items":[NaN]}`                                             | invalid_json    | ``
          `[]`                                                          | wrong_type      | ``
          `"items"`                                                     | wrong_type      | ``
          `null`                                                        | wrong_type      | ``
          `{}`                                                          | missing_field   | `/id`
          `{"items":{}}`                                                | wrong_type      | /items
          `{"items":null}`                                              | wrong_type      | /items
          `{"items":[],"more":1}`                                       | unknown_field   | /more
          `{"items":[],"items":[]}`                                     | duplicate_key   | /items
          `{"items":[1]}`                                               | wrong_type      | /items/0
          `{"items":[{}]}`                                              | missing_field   | /items/0/id
          `{"items":[{"id":7}]}`                                        | wrong_type      | /items/0/id
          `{"items":[{"id":null}]}`                                     | wrong_type      | /items/0/id
          `{"items":[{"id":"7"}]}`                                      | invalid_value   | /items/0/id
          `{"items":[{"ID":"$id","a/b~":1}]}`                           | missing_field   | /items/0/id
          `{"items":[{"id":"$id","a/b~c":1}]}`                          | unknown_field   | /items/0/a~1b~0c
          `{"items":[{"id":"$id","id":"$id"}]}`                         | duplicate_key   | /items/0/id
          `{"items":[{"id":"$id","kind":"direct"}]}`                    | invalid_value   | /items/0/kind
          `{"items":[{"id":"$id","kind":"EXPIRY","relatedId":"$id"}]}`  | invalid_value   | /items/0/kind
          `{"items":[{"id":"$id","kind":"POST"}]}`                      | invalid_value   | /items/0/relatedId
          `{"items":[{"id":"$id","code":1.0}]}`                         | wrong_type      | /items/0/code
          `{"items":[{"id":"$id","code":1e2}]}`                         | wrong_type      | /items/0/code
          `{"items":[{"id":"$id","code":"1"}]}`                         | wrong_type      | /items/0/code
          `{"items":[{"id":"$id","code":65536}]}`                       | invalid_value   | /items/0/code
          `{"items":[{"id":"$id","code":99999999999999999999}]}`        | invalid_value   | /items/0/code
          `{"items":[{"id":"$id","metadata":{"k":1}}]}`                 | wrong_type      | /items/0/metadata/k
          `{"items":[{"id":"$id","metadata":[]}]}`                      | wrong_type      | /items/0/metadata
          `{"items":[{"id":"$id","keepRemainder":"true"}]}`             | wrong_type      | /items/0/keepRemainder
          `{"items":[{"id":"$id","effectiveAt":"2026-01-31"}]}`         | invalid_value   | /items/0/effectiveAt
          `{"items":[{"id":"$id","timeoutSeconds":0}]}`                 | invalid_value   | /items/0/timeoutSeconds
          `{"items":[{"id":"$id","kind":"VOID","relatedId":"$id","timeoutSeconds":1}]}` | invalid_value | /items/0/timeoutSeconds
          `{"items":[{"id":"$id","kind":"POST","relatedId":"$id","amount":"1.00"}]}` | missing_field | /items/0/asset
          `{"items":[{"id":"$id","asset":"USD","amount":"1.00"}]}`      | invalid_value   | /items/0/asset
          `{"items":[{"id":"$id","asset":"EUR","amount":"1.001"}]}`     | invalid_value   | /items/0/amount
          `{"items":[{"id":"$id","asset":"EUR","amount":1}]}`           | wrong_type      | /items/0/amount
          `{"items":[{"id":"$id","debit":"a b"}]}`                      | invalid_value   | /items/0/debit
          `{"items":[{"group":{}}]}`                                    | missing_field   | /items/0/group/id
          `{"items":[{"group":{"id":"$id"}}]}`                          | missing_field   | /items/0/group/members
          `{"items":[{"group":{"id":"$id","members":[]}}]}`             | invalid_value   | /items/0/group
          `{"items":[{"group":{"id":"$id","members":[{}]}}]}`           | missing_field   | /items/0/group/members/0/id
          `{"items":[{"group":{"id":"$id","members":[],"x":1}}]}`       | unknown_field   | /items/0/group/x
          `{"items":[{"group":{"id":"$id","members":[{"id":"$id","kind":"EXPIRY","relatedId":"$id"}]}}]}` | invalid_value | /items/0/group/members/0/kind
          `{"items":[{"group":[]}]}`                                    | wrong_type      | /items/0/group
          `{"items":[{"resolve":{"id":"$id","groupId":"$id","kind":"DIRECT"}}]}` | invalid_value | /items/0/resolve/kind
          `{"items":[{"resolve":{"id":"$id","groupId":"$id","kind":"VOID"},"x":1}]}` | unknown_field | /items/0/x
          `{"id":"$id","kind":"EXPIRY","relatedId":"$id"}`              | invalid_value   | /kind
          """)
  void requestsAreReadStrictly(String document, String code, String pointer) {
    JsonProblemException problem = problem(MAJOR::readPostBody, document.replace("$id", ID));

    assertThat(problem.code()).as(problem.getMessage()).isEqualTo(code);
    assertThat(problem.pointer()).as(problem.getMessage()).isEqualTo(pointer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `{"minBalance":1}`              | wrong_type    | /minBalance
          `{"minBalance":"x"}`            | invalid_value | /minBalance
          `{"metadata":null}`             | wrong_type    | /metadata
          `{"closed":null}`               | wrong_type    | /closed
          `{"actor":null}`                | wrong_type    | /actor
          `{"actor":""}`                  | invalid_value | /actor
          `{"ifChange":-1}`               | invalid_value | /ifChange
          `{"close":true}`                | unknown_field | /close
          """)
  void onlyLimitsAreRemovedByNull(String document, String code, String pointer) {
    JsonProblemException problem =
        problem(in -> MAJOR.readChange(in, AccountId.of("a"), new AssetCode("EUR")), document);

    assertThat(problem.code()).as(problem.getMessage()).isEqualTo(code);
    assertThat(problem.pointer()).as(problem.getMessage()).isEqualTo(pointer);
  }

  @Test
  void aMessageBeginsWithThePlaceAndSaysWhatToDo() {
    assertThat(problem(MAJOR::readAssets, "{\"assets\":[{\"code\":\"XYZ\"}]}"))
        .hasMessage("/assets/0/scale: XYZ is not an ISO 4217 currency, so name its scale");
  }

  @Test
  void deepNestingIsRefusedWithoutReadingOn() {
    String deep = "{\"id\":" + "[".repeat(100_000);

    assertThat(problem(MAJOR::readPostBody, deep).code()).isEqualTo("too_deep");
  }

  @Test
  void aLargeDocumentIsRefusedWithoutReadingOn() {
    JsonReader small = new JsonReader(Amounts.MINOR, 10_000);
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return ' ';
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            Arrays.fill(buffer, offset, offset + length, (byte) ' ');
            return length;
          }
        };

    JsonProblemException problem =
        catchThrowableOfType(JsonProblemException.class, () -> small.readPost(endless));

    assertThat(problem.code()).isEqualTo("too_large");
  }

  @Test
  void aDocumentAsLargeAsAllowedIsRead() {
    String document = "{\"items\":[]}";

    assertThat(new JsonReader(Amounts.MINOR, document.length()).readPost(stream(document)))
        .isEqualTo(new PostRequest(List.of()));
    assertThat(
            problem(new JsonReader(Amounts.MINOR, document.length() - 1)::readPost, document)
                .code())
        .isEqualTo("too_large");
  }

  @Test
  void aLongTextOrNumberIsRefused() {
    String text = "{\"id\":\"" + "x".repeat(2 << 20) + "\"}";
    String number = "{\"code\":" + "9".repeat(1_000) + "}";

    assertThat(problem(MAJOR::readPostBody, text).code()).isEqualTo("too_large");
    assertThat(problem(MAJOR::readPostBody, number).code()).isEqualTo("too_large");
  }

  @Test
  void moreTransfersThanARequestMayHaveAreRefused() {
    String item =
        "{\"resolve\":{\"id\":\"$\",\"groupId\":\"$\",\"kind\":\"VOID\"}}".replace("$", ID);
    String document = "{\"items\":[" + (item + ",").repeat(10_000) + item + "]}";

    JsonProblemException problem = problem(MINOR::readPost, document);

    assertThat(problem.code()).isEqualTo("invalid_value");
    assertThat(problem.pointer()).isEqualTo("/items");
  }

  @Test
  void aBrokenStreamIsNotABrokenDocument() throws IOException {
    InputStream broken = InputStream.nullInputStream();
    broken.close();

    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> MINOR.readPost(broken))
        .withRootCauseExactlyInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void damagedDocumentsAreRefusedOrMeanSomethingButNeverFailOtherwise(long seed) {
    Random random = new Random(seed);
    RandomValues values = new RandomValues(seed);
    JsonWriter writer = new JsonWriter(Amounts.MINOR);
    for (int i = 0; i < 100; i++) {
      PostRequest request = values.postRequest(false);
      byte[] post = JsonDocuments.bytes(out -> writer.write(out, request));
      byte[] answer = JsonDocuments.bytes(out -> writer.write(out, values.postResult()));
      readDamaged(MINOR::readPostBody, damaged(post, random));
      readDamaged(MINOR::readPostResult, damaged(answer, random));
    }
  }

  private static void readDamaged(Function<InputStream, ?> reading, byte[] document) {
    try {
      assertThat(reading.apply(new ByteArrayInputStream(document))).isNotNull();
    } catch (JsonProblemException e) {
      assertThat(e.code()).isNotEmpty();
    }
  }

  private static byte[] damaged(byte[] document, Random random) {
    byte[] damaged = document.clone();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String bytes = "\"{}[]:,0-9.\\u\0\u00ff";
      damaged[random.nextInt(damaged.length)] = (byte) bytes.charAt(random.nextInt(bytes.length()));
    }
    return damaged;
  }

  private static JsonProblemException problem(Function<InputStream, ?> reading, String document) {
    JsonProblemException problem =
        catchThrowableOfType(JsonProblemException.class, () -> reading.apply(stream(document)));
    assertThat(problem).as(document).isNotNull();
    return problem;
  }

  private static InputStream stream(String document) {
    return new ByteArrayInputStream(document.getBytes(UTF_8));
  }
}
