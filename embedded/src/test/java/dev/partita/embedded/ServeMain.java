package dev.partita.embedded;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Starts a server and keeps it until its input ends; then leaves in the way that was asked for.
 * Arguments: directory, then {@code close}, {@code exit} (without closing) or {@code leave}
 * (without closing, and without the exit hook).
 */
final class ServeMain {

  private ServeMain() {}

  public static void main(String[] args) throws IOException {
    boolean stopsOnExit = !args[1].equals("leave");
    EmbeddedPostgres server;
    try {
      server =
          EmbeddedPostgres.start(
              EmbeddedPostgresConfig.builder(Path.of(args[0])).stopOnJvmExit(stopsOnExit).build());
    } catch (dev.partita.LedgerException e) {
      System.out.println("refused " + e.getClass().getSimpleName() + " " + e.getMessage());
      return;
    }
    System.out.println("server " + server.pid());
    int ended = System.in.read();
    if (args[1].equals("close")) {
      server.close();
      System.out.println("closed " + ended);
    }
  }
}
