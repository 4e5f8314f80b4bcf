package dev.partita.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs other programs with a known environment. */
final class Commands {

  /**
   * Inherited variables such as PGPORT, LD_LIBRARY_PATH or LC_MESSAGES would change what the server
   * does and says.
   */
  private static final Map<String, String> ENVIRONMENT =
      Map.of("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL", "C");

  record Result(int exitCode, String output) {
    boolean isSuccess() {
      return exitCode == 0;
    }
  }

  private Commands() {}

  static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    // The user the server runs as may not be able to enter our working directory.
    builder.directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().putAll(ENVIRONMENT);
    return builder;
  }

  static Result run(List<String> command, Duration timeout) throws IOException {
    return run(command, "", timeout);
  }

  /**
   * Runs a command to its end and collects what it says. Output goes through a file, so that
   * neither a full pipe nor a child that keeps the pipe open can hold us up. The input must fit
   * into a pipe.
   */
  static Result run(List<String> command, String input, Duration timeout) throws IOException {
    Path output = Files.createTempFile("partita-command", ".out");
    try {
      ProcessBuilder builder = builder(command).redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      Process process = builder.start();
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      } catch (IOException ignored) {
        // The program ended without reading its input: its exit code and output tell why.
      }
      Deadline deadline = Deadline.after(timeout);
      while (process.isAlive()) {
        if (deadline.isOver()) {
          process.destroyForcibly();
          throw new IOException(
              command.getFirst()
                  + " did not end within "
                  + timeout.toSeconds()
                  + " s: "
                  + Files.readString(output, StandardCharsets.ISO_8859_1));
        }
        Deadline.pause();
      }
      return new Result(
          process.exitValue(), new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
