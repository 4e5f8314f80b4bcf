package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.embedded.Login;
import dev.partita.lab.experiment.Emulation;
import dev.partita.lab.server.LabServer.Running;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slow commits are asked for openly, and refused with the way to get them. */
@ExtendWith(LabServer.class)
class SessionSettingsTest {

  private static final Map<String, String> SLOW = Emulation.SLOW_COMMIT.session();

  @Test
  void needsAGrantAndThenHolds(Running server) throws Exception {
    Login slow = SessionSettings.on(server.owner(), SLOW);
    assertThatThrownBy(slow::connect).isInstanceOf(SQLException.class);

    SessionSettings.allowSlowCommit(server.server());
    SessionSettings.allowSlowCommit(server.server());
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
    assertThat(SessionSettings.withOptions(url, SLOW)).isEqualTo(slow);
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
