package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Answers that cannot be written, in a process of their own. */
class LostOutputTest {

  private static Process start(ProcessBuilder.Redirect out, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectOutput(out).start();
  }

  private static int exitCode(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String err(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void saysThatItsAnswerIsLost() throws Exception {
    ProcessBuilder.Redirect full = ProcessBuilder.Redirect.to(new File("/dev/full"));
    Process text = start(full, "schema", "print");
    assertThat(err(text))
        .startsWith("partita: the answer could not be written to standard output: ");
    assertThat(exitCode(text)).isEqualTo(ExitCode.ANSWER_LOST.number());
    Process json = start(full, "schema", "grants", "--role", "x", "--output", "json");
    assertThat(err(json)).contains("\"code\" : \"answer_lost\"", "\"exitCode\" : 74");
    assertThat(exitCode(json)).isEqualTo(ExitCode.ANSWER_LOST.number());
    Process misuse = start(full, "schema", "grants");
    assertThat(err(misuse)).doesNotContain("standard output");
    assertThat(exitCode(misuse)).isEqualTo(ExitCode.MISUSE.number());
  }

  @Test
  void endsWithoutAWordWhenItsReaderHasGone() throws Exception {
    Process process = start(ProcessBuilder.Redirect.PIPE, "schema", "print");
    process.getInputStream().close();
    assertThat(err(process)).isEmpty();
    assertThat(exitCode(process)).isEqualTo(ExitCode.READER_GONE.number());
  }
}
