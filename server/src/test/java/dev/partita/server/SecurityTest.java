package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.server.Security.Waiver;
import dev.partita.server.auth.InMemoryApiKeys;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server must have before other machines can reach it. */
class SecurityTest {

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "192.0.2.1", "::", "2001:db8::1"})
  void listensToOtherMachinesOnlyWithKeysAndTlsOrWaivers(String address) {
    InetAddress reachable = InetAddress.ofLiteral(address);
    Security keys = Security.NONE.keys(new InMemoryApiKeys(Clock.systemUTC()));
    assertThatThrownBy(
            () ->
                PartitaServer.start(
                    StubLedger.failing(new IllegalStateException()),
                    ServerConfig.DEFAULT.address(reachable)))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("TLS")
        .hasMessageContaining("127.0.0.1");
    assertThatThrownBy(() -> keys.requireEnoughFor(reachable)).hasMessageContaining("TLS");
    assertThatThrownBy(() -> Security.NONE.waive(Waiver.TLS).requireEnoughFor(reachable))
        .hasMessageContaining("keys");
    assertThatThrownBy(() -> Security.NONE.waive(Waiver.KEYS).requireEnoughFor(reachable))
        .hasMessageContaining("TLS");
    assertThatCode(() -> keys.waive(Waiver.TLS).requireEnoughFor(reachable))
        .doesNotThrowAnyException();
    assertThatCode(
            () -> Security.NONE.waive(Waiver.TLS).waive(Waiver.KEYS).requireEnoughFor(reachable))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.8.8", "::1"})
  void listensToThisMachineWithoutAny(String address) {
    assertThatCode(() -> Security.NONE.requireEnoughFor(InetAddress.ofLiteral(address)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://x", "x:80", "a b", "ä", "*", "[x]"})
  void refusesNamesThatCannotStandInHost(String host) {
    assertThatThrownBy(() -> Security.NONE.hosts(Set.of(host)))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("hosts");
  }

  @Test
  void isGuardedByItsHeaders() {
    try (TestServer server = TestServer.overMemory()) {
      Answer answer = server.get("/v1/info");
      assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(answer.header("Content-Security-Policy")).contains("frame-ancestors 'none'");
      assertThat(answer.headers().firstValue("Strict-Transport-Security")).isEmpty();
    }
  }
}
