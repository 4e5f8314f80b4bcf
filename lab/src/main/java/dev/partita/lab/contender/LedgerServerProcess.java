package dev.partita.lab.contender;

import dev.partita.embedded.Login;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The process of a {@link LedgerServer}, started when it is first needed; it ends with this one.
 * Thread-safe; one ledger at a time.
 */
final class LedgerServerProcess {

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Process process;
  private @Nullable BufferedReader said;

  /** Serves a ledger that is there already; answers where. */
  URI open(Login login, String schema) throws IOException {
    lock.lock();
    try {
      Process running = running();
      return URI.create(
          ask(
              running,
              LedgerServer.AT,
              LedgerServer.OPEN,
              login.jdbcUrl(),
              login.user(),
              login.password(),
              schema));
    } finally {
      lock.unlock();
    }
  }

  /** Ends server and ledger, and with that every session of theirs. */
  void close() throws IOException {
    lock.lock();
    try {
      if (process != null) {
        ask(running(), LedgerServer.CLOSED, LedgerServer.CLOSE);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The process as the system sees it. */
  ProcessHandle handle() {
    lock.lock();
    try {
      return running().toHandle();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private Process running() throws IOException {
    Process current = process;
    if (current == null || !current.isAlive()) {
      current =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "--enable-native-access=ALL-UNNAMED",
                      "-cp",
                      System.getProperty("java.class.path"),
                      LedgerServer.class.getName()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process = current;
      said = current.inputReader(StandardCharsets.UTF_8);
    }
    return current;
  }

  private String ask(Process running, String prefix, String... lines) throws IOException {
    // Not closed: its end would be the end of the process.
    Writer input = running.outputWriter(StandardCharsets.UTF_8);
    for (String line : lines) {
      input.write(line + "\n");
    }
    input.flush();
    String answer = said == null ? null : said.readLine();
    if (answer == null || !answer.startsWith(prefix)) {
      running.destroyForcibly();
      throw new IOException("the process that serves the ledger has ended");
    }
    return answer.substring(prefix.length());
  }
}
