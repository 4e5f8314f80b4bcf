package dev.partita.validate.faults;

import dev.partita.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * What only the owner of a server's machine can do to it: change its settings and pause its
 * processes. For one thread.
 */
public final class OwnServer {

  private static final int TRIES_MAX = 600;
  private static final long PAUSE_MILLIS = 50;

  private final EmbeddedPostgres server;
  private final DataSource source;

  /**
   * For a server of ours.
   *
   * @param source connections to it, to see what its settings are
   */
  public OwnServer(EmbeddedPostgres server, DataSource source) {
    this.server = server;
    this.source = source;
  }

  /** Changes a setting of the running server and waits until new sessions see it. */
  public void set(String name, String value)
      throws IOException, SQLException, InterruptedException {
    change(name, List.of(line(name, value)));
    await(name, value, true);
  }

  /** Takes a setting back. */
  public void reset(String name, String value)
      throws IOException, SQLException, InterruptedException {
    change(name, List.of());
    await(name, value, false);
  }

  private void change(String name, List<String> lines) throws IOException, InterruptedException {
    Path file = server.dataDirectory().resolve("postgresql.auto.conf");
    String others =
        Files.readString(file)
            .lines()
            .filter(line -> !line.startsWith(name + " "))
            .toList()
            .stream()
            .reduce("", (all, line) -> all + line + "\n");
    Files.writeString(file, others + String.join("", lines));
    signal("HUP", server.pid());
  }

  private static String line(String name, String value) {
    return name + " = '" + value + "'\n";
  }

  private void await(String name, String value, boolean wanted)
      throws SQLException, InterruptedException {
    for (int i = 0; i < TRIES_MAX; i++) {
      if (show(name).equals(value) == wanted) {
        return;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new SQLException("the server did not take setting " + name);
  }

  private String show(String name) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Stops processes in their tracks, whatever they hold. */
  public void pause(List<Integer> pids) throws IOException, InterruptedException {
    for (int pid : pids) {
      signal("STOP", pid);
    }
  }

  /** Lets them go on. */
  public void goOn(List<Integer> pids) throws IOException, InterruptedException {
    for (int pid : pids) {
      signal("CONT", pid);
    }
  }

  /** One that has ended meanwhile is left alone. */
  private static void signal(String name, long pid) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(pid))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0 && ProcessHandle.of(pid).isPresent()) {
      throw new IOException("cannot send signal " + name + " to process " + pid);
    }
  }
}
