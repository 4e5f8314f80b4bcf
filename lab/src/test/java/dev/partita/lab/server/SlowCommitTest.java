package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.embedded.Login;
import dev.partita.lab.server.LabServer.Running;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slow commits are asked for openly, and refused with the way to get them. */
@ExtendWith(LabServer.class)
class SlowCommitTest {

  @Test
  void needsAGrantAndThenHolds(Running server) throws Exception {
    Login slow = SlowCommit.on(server.owner());
    assertThat(SlowCommit.refusal(server.owner()))
        .get()
        .asString()
        .endsWith("GRANT SET ON PARAMETER commit_delay TO partita_owner");
    assertThatThrownBy(slow::connect).isInstanceOf(SQLException.class);
    assertThat(SlowCommit.refusal(server.superuser())).isEmpty();

    SlowCommit.allow(server.server());
    SlowCommit.allow(server.server());
    assertThat(SlowCommit.refusal(server.owner())).isEmpty();
    assertThat(show(slow, "commit_delay")).isEqualTo("900");
    assertThat(show(slow, "commit_siblings")).isEqualTo("0");
    assertThat(show(server.owner(), "commit_delay")).isEqualTo("0");
    assertThat(ServerFacts.durability(slow)).containsEntry("commit_delay", "900");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:x, jdbc:x?options=-c%20commit_delay%3D900%20-c%20commit_siblings%3D0",
    "jdbc:x?a=b, jdbc:x?a=b&options=-c%20commit_delay%3D900%20-c%20commit_siblings%3D0",
    "jdbc:x?options=-c%20jit%3Doff&a=b,"
        + " jdbc:x?options=-c%20jit%3Doff%20-c%20commit_delay%3D900%20-c%20commit_siblings%3D0&a=b",
  })
  void keepsTheOptionsThatAreThere(String url, String slow) {
    assertThat(SlowCommit.withOptions(url)).isEqualTo(slow);
  }

  private static String show(Login login, String setting) throws SQLException {
    try (Connection connection = login.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }
}
