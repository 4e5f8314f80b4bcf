package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.cli.Commands.Ran;
import dev.partita.server.auth.KeyRing;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class KeysTest {

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress REACHABLE = InetAddress.ofLiteral("192.0.2.1");

  private final Commands commands = new Commands();

  @Test
  void createsAKeyThatIsShownOnceAndKnownToAServer() {
    Ran created = commands.ok("keys create shop --scope read,post");
    String key =
        created
            .out()
            .lines()
            .map(String::strip)
            .filter(l -> l.startsWith("partita_"))
            .findFirst()
            .orElseThrow();
    assertThat(new KeyRing(commands.keys).find(key).orElseThrow().name()).isEqualTo("shop");
    Ran listed = commands.ok("keys list");
    assertThat(listed.out()).contains("shop", "read, post", key.substring(8, 18));
    assertThat(listed.out()).doesNotContain(key.substring(19));
    assertThat(commands.json("keys list").toString()).doesNotContain(key.substring(19), "hash");
    assertThat(commands.closed).isEqualTo(commands.opened);
  }

  @Test
  void revokesByNameOrIdAndAgain() {
    JsonNode shop = commands.json("keys create shop --scope admin");
    commands.ok("keys create other --scope read");
    assertThat(commands.ok("keys revoke " + shop.get("id").stringValue()).out())
        .contains("shop is revoked");
    commands.ok("keys revoke shop");
    assertThat(new KeyRing(commands.keys).find(shop.get("key").stringValue())).isEmpty();
    assertThat(commands.json("keys list").at("/keys/0/revokedAt").isNull()).isFalse();
    assertThat(commands.json("keys list").at("/keys/1/revokedAt").isNull()).isTrue();
    assertThat(commands.run("keys revoke nobody").exits(ExitCode.MISUSE).err())
        .contains("there is no key", "keys list");
  }

  @Test
  void givesANameOnce() {
    commands.ok("keys create shop --scope read");
    commands.ok("keys revoke shop");
    assertThat(commands.run("keys create shop --scope read").exits(ExitCode.REFUSED).out())
        .contains("another name");
  }

  @ParameterizedTest
  @CsvSource({
    "keys create,                        NAME",
    "keys create shop,                   --scope",
    "keys create shop --scope root,      read; post; admin",
    "keys create shop --scope read;;,    --scope",
    "keys create a/b --scope read,       NAME",
    "keys create --scope read -- -x,     NAME",
    "keys revoke,                        NAME|ID",
    "keys,                               name one of",
  })
  void refusesWhatItDoesNotUnderstandBeforeAnythingIsOpened(String words, String hint) {
    Ran refused = commands.run(words.replace(';', ',')).exits(ExitCode.MISUSE);
    assertThat(refused.err()).contains(hint.replace(';', ','));
    assertThat(commands.opened).isZero();
  }

  @Test
  void needsKeysOnceThereWasOneAndWhereOthersCanReachIt() {
    assertThat(rule(LOOPBACK, false, false).needed()).isFalse();
    assertThat(rule(LOOPBACK, true, false).needed()).isTrue();
    assertThatThrownBy(() -> rule(REACHABLE, false, false))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("keys create");
    assertThat(rule(REACHABLE, false, true).needed()).isFalse();
    commands.ok("keys create shop --scope read");
    assertThat(rule(LOOPBACK, false, false).needed()).isTrue();
    assertThat(rule(REACHABLE, false, false).needed()).isTrue();
    assertThat(rule(LOOPBACK, false, true).needed()).isFalse();
    commands.ok("keys revoke shop");
    assertThat(rule(LOOPBACK, false, false).needed()).as("revoking opens nothing").isTrue();
    assertThatThrownBy(() -> rule(REACHABLE, true, false)).isInstanceOf(MisuseException.class);
  }

  private KeyRule rule(InetAddress address, boolean requireKeys, boolean allowNoKeys) {
    return KeyRule.of(address, commands.keys.all(), requireKeys, allowNoKeys);
  }

  @ParameterizedTest
  @CsvSource({
    "--host 0.0.0.0,                                               --allow-plain-http",
    "--host 0.0.0.0 --allow-no-keys,                               --allow-plain-http",
    "--tls-certificate x.pem,                                      --tls-key",
    "--tls-key x.pem,                                              --tls-certificate",
    "--tls-certificate no-such.pem --tls-key x.pem,                there is no file no-such.pem",
    "--allow-no-keys --require-keys,                               contradicts",
    "--allowed-hosts http://x,                                     --allowed-hosts",
  })
  void refusesToStartWithoutProtection(String options, String hint) {
    Ran refused = commands.run("serve " + options).exits(ExitCode.MISUSE);
    assertThat(refused.err()).contains(hint);
    assertThat(commands.opened).isZero();
  }

  @Test
  void refusesToStartForOtherMachinesWithoutAKey() {
    Ran refused = commands.run("serve --host 0.0.0.0 --allow-plain-http").exits(ExitCode.MISUSE);
    assertThat(refused.err()).contains("--host", "keys create", "--allow-no-keys");
    assertThat(commands.closed).isEqualTo(commands.opened);
  }
}
