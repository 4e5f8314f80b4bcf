package dev.partita.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.MisuseException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitaClientConfigTest {

  private static final URI LOCAL = URI.create("http://127.0.0.1:7070");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://host",
        "//host",
        "host:8080",
        "/path",
        "http:opaque",
        "http://host?a=b",
        "http://host#f",
        "http://me:secret@host"
      })
  void theBaseIsAnHttpAddressAndNothingMore(String uri) {
    MisuseException misuse =
        catchThrowableOfType(MisuseException.class, () -> PartitaClientConfig.of(URI.create(uri)));

    assertThat(misuse.field()).isEqualTo("baseUri");
    assertThat(misuse).message().doesNotContain("secret");
  }

  @Test
  void valuesOutOfRangeAreNamed() {
    assertThat(field(PartitaClientConfig.builder(LOCAL).connectTimeout(Duration.ZERO)))
        .isEqualTo("connectTimeout");
    assertThat(field(PartitaClientConfig.builder(LOCAL).requestTimeout(Duration.ofDays(2))))
        .isEqualTo("requestTimeout");
    assertThat(field(PartitaClientConfig.builder(LOCAL).patience(Duration.ofMillis(-1))))
        .isEqualTo("patience");
    assertThat(field(PartitaClientConfig.builder(LOCAL).apiKey("a\nb"))).isEqualTo("apiKey");
    assertThat(field(PartitaClientConfig.builder(LOCAL).answerBytesMax(10)))
        .isEqualTo("answerBytesMax");
  }

  @Test
  void theKeyIsNotPrinted() {
    assertThat(PartitaClientConfig.builder(LOCAL).apiKey("top-secret").build().toString())
        .doesNotContain("top-secret")
        .contains(LOCAL.toString());
  }

  @Test
  void trustedCertificatesAreReadAtOnce(@TempDir Path directory) throws IOException {
    Path missing = directory.resolve("missing.pem");
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    Path text = Files.writeString(directory.resolve("text.pem"), "no certificate");
    for (Path file : List.of(missing, empty, text)) {
      MisuseException misuse =
          catchThrowableOfType(
              MisuseException.class,
              () -> PartitaClientConfig.builder(LOCAL).trustedCertificates(file));
      assertThat(misuse.field()).isEqualTo("trustedCertificates");
      assertThat(misuse).message().contains(file.toString());
    }
  }

  private static String field(PartitaClientConfig.Builder builder) {
    return catchThrowableOfType(MisuseException.class, builder::build).field();
  }
}
