package dev.partita.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.Asset;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.RegisterResult;
import dev.partita.UnavailableException;
import dev.partita.client.PartitaClient;
import dev.partita.client.PartitaClientConfig;
import dev.partita.memory.InMemoryLedger;
import dev.partita.server.PartitaServer;
import dev.partita.server.Security;
import dev.partita.server.ServerConfig;
import dev.partita.server.auth.ApiKey;
import dev.partita.server.auth.InMemoryApiKeys;
import dev.partita.server.auth.PresentedKey;
import dev.partita.server.auth.Scope;
import dev.partita.testkit.ManualClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are a certificate and its key, and those that are not; and a server that has them. */
class TlsTest {

  @TempDir private static Path directory;
  private static TestCertificate good;
  private static TestCertificate rsa;
  private static TestCertificate expired;

  @BeforeAll
  static void makeCertificates() {
    good = TestCertificate.in(directory, "good", "-validity", "2", "-keyalg", "EC");
    rsa =
        TestCertificate.in(
            directory, "rsa", "-validity", "2", "-keyalg", "RSA", "-keysize", "2048");
    expired =
        TestCertificate.in(
            directory, "expired", "-startdate", "-9d", "-validity", "2", "-keyalg", "EC");
  }

  private static MisuseException refused(Path certificate, Path key) {
    return catchThrowableOfType(
        MisuseException.class, () -> ServerTls.read(certificate, key, Instant.now()));
  }

  @Test
  void servesHttpsToClientsThatTrustItsCertificate() throws Exception {
    InMemoryApiKeys keys = new InMemoryApiKeys(Clock.systemUTC());
    PresentedKey key = PresentedKey.generate(new SecureRandom());
    keys.add(
        new ApiKey(
            key.id(), "shop", Set.of(Scope.ADMIN, Scope.READ), key.hash(), Instant.EPOCH, null));
    Security security =
        Security.NONE.keys(keys).tls(ServerTls.read(good.certificate(), good.key(), Instant.now()));
    try (Ledger ledger = new InMemoryLedger(new ManualClock());
        PartitaServer server =
            PartitaServer.start(ledger, ServerConfig.DEFAULT.port(0).security(security))) {
      assertThat(server.uri()).hasScheme("https");
      PartitaClientConfig.Builder config =
          PartitaClientConfig.builder(server.uri())
              .apiKey(key.reveal())
              .patience(Duration.ZERO)
              .trustedCertificates(good.certificate());
      try (Ledger client = new PartitaClient(config.build())) {
        assertThat(client.register(List.of(Asset.iso("EUR"))).getFirst().status())
            .isEqualTo(RegisterResult.Status.CREATED);
        assertThat(client.assets()).hasSize(1);
      }
      try (Ledger stranger =
          new PartitaClient(config.trustedCertificates(rsa.certificate()).build())) {
        assertThatThrownBy(stranger::assets).isInstanceOf(UnavailableException.class);
      }
      try (Ledger other =
          new PartitaClient(
              config.trustedCertificates(good.certificate()).apiKey("wrong").build())) {
        assertThatThrownBy(other::assets)
            .isInstanceOf(MisuseException.class)
            .hasMessageContaining("API key");
      }
      headersSayThatItIsEncrypted(server.uri(), config);
      refusesOldVersions(server.uri(), config.build());
    }
  }

  private static void headersSayThatItIsEncrypted(URI uri, PartitaClientConfig.Builder config)
      throws Exception {
    try (HttpClient http =
        HttpClient.newBuilder().sslContext(config.build().sslContext().orElseThrow()).build()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(uri.resolve("/health/live")).build(), BodyHandlers.ofString());
      assertThat(answer.headers().firstValue("Strict-Transport-Security"))
          .contains("max-age=31536000");
    }
  }

  private static void refusesOldVersions(URI uri, PartitaClientConfig config) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            config
                .sslContext()
                .orElseThrow()
                .getSocketFactory()
                .createSocket(uri.getHost(), uri.getPort())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.1"});
      socket.setSSLParameters(parameters);
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void readsKeysOfSeveralKinds() {
    for (TestCertificate each : List.of(good, rsa)) {
      assertThat(ServerTls.read(each.certificate(), each.key(), Instant.now()).context())
          .isNotNull();
    }
  }

  @Test
  void namesTheFileThatIsMissingOrADirectory() {
    Path missing = directory.resolve("missing.pem");
    assertThat(refused(missing, good.key()))
        .hasMessageStartingWith("certificate: there is no file")
        .hasMessageContaining(missing.toString());
    assertThat(refused(good.certificate(), missing))
        .hasMessageStartingWith("key: there is no file");
    assertThat(refused(directory, good.key())).hasMessageContaining("is a directory");
  }

  @Test
  void saysThatAFileIsNoPem() throws IOException {
    Path text = Files.writeString(directory.resolve("text.pem"), "hello");
    assertThat(refused(text, good.key())).hasMessageContaining("no certificate in PEM form");
    assertThat(refused(good.certificate(), text))
        .hasMessageContaining("no private key in PEM form");
    Path broken =
        Files.writeString(
            directory.resolve("broken.pem"),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    assertThat(refused(broken, good.key())).hasMessageContaining(broken.toString());
    Path brokenKey =
        Files.writeString(
            directory.resolve("broken-key.pem"),
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    assertThat(refused(good.certificate(), brokenKey)).hasMessageContaining("damaged");
  }

  @Test
  void saysThatTheFilesAreExchanged() {
    assertThat(refused(good.key(), good.certificate())).hasMessageContaining("but a private key");
    assertThat(refused(good.certificate(), good.certificate()))
        .hasMessageContaining("but a certificate");
  }

  @Test
  void saysThatAKeyIsEncryptedOrInAnotherForm() throws IOException {
    for (String label : List.of("ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY")) {
      Path file = TestCertificate.pem(directory.resolve("form.pem"), label, new byte[9]);
      assertThat(refused(good.certificate(), file))
          .hasMessageContaining(label.startsWith("ENCRYPTED") ? "is encrypted" : "PKCS #8")
          .hasMessageContaining("openssl pkcs8");
    }
  }

  @Test
  void saysThatAKeyIsAnotherCertificates() {
    TestCertificate other =
        TestCertificate.in(directory, "other", "-validity", "2", "-keyalg", "EC");
    assertThat(refused(good.certificate(), other.key()))
        .hasMessageContaining("is not the key of the certificate");
    assertThat(refused(good.certificate(), rsa.key())).hasMessageContaining("EC key");
  }

  @Test
  void saysThatACertificateIsExpiredOrNotYetValid() {
    assertThat(refused(expired.certificate(), expired.key())).hasMessageContaining("expired on");
    assertThatThrownBy(
            () ->
                ServerTls.read(
                    good.certificate(), good.key(), Instant.now().minus(Duration.ofDays(3))))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("valid only from");
  }
}
