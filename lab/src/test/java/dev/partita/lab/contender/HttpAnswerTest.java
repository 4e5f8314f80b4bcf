package dev.partita.lab.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers are understood however they arrive. */
class HttpAnswerTest {

  private static final String END = "\r\n";
  private static final String WITH_LENGTH =
      String.join(
          END,
          "HTTP/1.1 201 Created",
          "X: y",
          "Content-Length: 20",
          "",
          "{\"status\":\"CREATED\"}");
  private static final String IN_CHUNKS =
      String.join(
          END,
          "HTTP/1.1 200 OK",
          "Transfer-Encoding: chunked",
          "",
          "10",
          "[\"CREATED\",\"CREA",
          "6",
          "TED\"] ",
          "0",
          "",
          "");
  private static final String WITHOUT_BODY =
      String.join(END, "HTTP/1.1 429 Too Many", "content-length: 0", "", "");

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 100_000})
  void readsOneAnswerAfterAnother(int bytesAtOnce) throws IOException {
    HttpAnswer answer =
        new HttpAnswer(in(WITH_LENGTH + IN_CHUNKS + WITHOUT_BODY + WITH_LENGTH, bytesAtOnce));
    assertThat(answer.next()).isEqualTo(201);
    assertThat(answer.count("CREATED")).isEqualTo(1);
    assertThat(answer.next()).isEqualTo(200);
    assertThat(answer.count("CREATED")).isEqualTo(2);
    assertThat(answer.next()).isEqualTo(429);
    assertThat(answer.count("CREATED")).isZero();
    assertThat(answer.next()).isEqualTo(201);
    assertThatThrownBy(answer::next).isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100_000})
  void readsBodiesLongerThanItsBuffer(int bytesAtOnce) throws IOException {
    String body = "\"status\":\"EXISTS\",".repeat(5_000);
    HttpAnswer answer =
        new HttpAnswer(
            in(
                String.join(END, "HTTP/1.1 200 OK", "Content-Length: " + body.length(), "", body),
                bytesAtOnce));
    assertThat(answer.next()).isEqualTo(200);
    assertThat(answer.count("\"status\":\"EXISTS\"")).isEqualTo(5_000);
  }

  private static InputStream in(String text, int bytesAtOnce) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)) {
      @Override
      public synchronized int read(byte[] buffer, int offset, int length) {
        return super.read(buffer, offset, Math.min(length, bytesAtOnce));
      }
    };
  }
}
