package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.embedded.Login;
import dev.partita.lab.server.LabServer.Running;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The facts are those of the sessions that work, and give no secrets away. */
@ExtendWith(LabServer.class)
class ServerFactsTest {

  @Test
  void describeTheServer(Running server) throws Exception {
    ServerFacts facts = ServerFacts.read(server.owner(), server.server().directory());
    assertThat(facts.version()).isEqualTo(server.server().serverVersion());
    assertThat(facts.durability())
        .containsEntry("fsync", "on")
        .containsEntry("shared_buffers", "256MB")
        .containsEntry("autovacuum", "off")
        .containsEntry("data_checksums", "on");
    assertThat(facts.changedSettings())
        .containsEntry("jit", "off")
        .containsEntry("cluster_name", "(changed)")
        .doesNotContainKey("application_name");
    assertThat(facts.toString()).doesNotContain(server.server().directory().toString());
    assertThat(facts.selectOne().count()).isEqualTo(1_000);
    assertThat(facts.commit()).isNotNull();
    assertThat(facts.disk()).isNotNull();
    assertThat(facts.notes()).isEmpty();
  }

  @Test
  void showDurabilityAsTheSessionsOfThisLoginGetIt(Running server) throws Exception {
    Login owner = server.owner();
    String url = owner.jdbcUrl() + (owner.jdbcUrl().contains("?") ? "&" : "?");
    Login unsafe =
        new Login(url + "options=-c%20synchronous_commit%3Doff", owner.user(), owner.password());
    assertThat(ServerFacts.durability(unsafe)).containsEntry("synchronous_commit", "off");
    assertThat(ServerFacts.durability(owner)).containsEntry("synchronous_commit", "on");
  }

  /** Otherwise its cost would be that of a round trip. */
  @Test
  void smallestCommitsWaitForTheLog(Running server) throws Exception {
    try (ServerAccount account = ServerAccount.open(server.owner(), "any")) {
      ServerSnapshot before = account.before();
      ServerFacts facts = ServerFacts.read(server.owner(), null);
      ServerUse use = ServerUse.between(before, account.after());
      assertThat(facts.commit()).isNotNull();
      assertThat(use.wal().syncs()).isGreaterThanOrEqualTo(facts.commit().count());
      assertThat(facts.notes()).singleElement().asString().startsWith("disk not probed");
    }
  }
}
