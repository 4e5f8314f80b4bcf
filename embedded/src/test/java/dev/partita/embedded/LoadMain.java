package dev.partita.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Commits rows and says which, until it is killed. Arguments: directory, first number, writers. A
 * row is named only after its commit has returned.
 */
final class LoadMain {

  private LoadMain() {}

  public static void main(String[] args) throws Exception {
    AtomicLong numbers = new AtomicLong(Long.parseLong(args[1]));
    int writers = Integer.parseInt(args[2]);
    EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(Path.of(args[0])));
    say("server " + server.pid());
    for (int i = 0; i < writers; i++) {
      new Thread(() -> write(server, numbers)).start();
    }
  }

  private static void write(EmbeddedPostgres server, AtomicLong numbers) {
    try (Connection connection = server.application().connect();
        PreparedStatement insert = connection.prepareStatement("INSERT INTO notes VALUES (?, ?)")) {
      while (true) {
        long number = numbers.getAndIncrement();
        insert.setLong(1, number);
        insert.setString(2, "x".repeat((int) (number % 500)));
        insert.executeUpdate();
        say("committed " + number);
      }
    } catch (SQLException e) {
      say("writer ends: " + e.getMessage());
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
