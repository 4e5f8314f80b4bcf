package dev.partita.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Ledger;
import dev.partita.Progress;
import dev.partita.memory.InMemoryLedger;
import dev.partita.server.PartitaServer;
import dev.partita.server.ServerConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a document shows works, from its first command to its last, on an empty ledger. */
class ShownCommandsTest {

  private static final Path DOCS = Path.of("..", "docs");

  /** Their commands are for a server with keys, or do not end. */
  private static final List<String> OTHERS = List.of("README.md", "deployment.md");

  static Stream<Path> guides() throws IOException {
    try (Stream<Path> files = Files.list(DOCS.resolve("guides"))) {
      return files
          .filter(file -> !OTHERS.contains(file.getFileName().toString()))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("guides")
  void everyCommandOfAGuideIsAnsweredAsShown(Path guide) throws Exception {
    assertThat(answered(CurlCommand.in(Files.readString(guide)))).isGreaterThan(5);
  }

  @ParameterizedTest
  @MethodSource("beginnings")
  void theFirstCommandsOfADocumentAreAnswered(String document, String from, String to)
      throws Exception {
    String text = Files.readString(Path.of("..").resolve(document));
    String part = text.substring(text.indexOf(from), text.indexOf(to, text.indexOf(from)));
    assertThat(answered(CurlCommand.in(part))).isGreaterThan(2);
  }

  static Stream<String[]> beginnings() {
    return Stream.of(
        new String[] {"docs/http.md", "## A first transfer", "## What is there"},
        new String[] {"README.md", "Over HTTP", "| to | read |"});
  }

  private static int answered(List<CurlCommand> commands) throws Exception {
    try (Ledger ledger = new InMemoryLedger(() -> Instant.now().truncatedTo(ChronoUnit.MICROS));
        PartitaServer server = PartitaServer.start(ledger, ServerConfig.DEFAULT.port(0));
        HttpClient client = HttpClient.newHttpClient()) {
      for (CurlCommand command : commands) {
        HttpResponse<String> answer = command.ask(client, server.uri());
        if (command.status() == 0) {
          assertThat(answer.statusCode())
              .as(command.text() + "\n" + answer.body())
              .isBetween(200, 299);
        } else {
          assertThat(answer.statusCode())
              .as(command.text() + "\n" + answer.body())
              .isEqualTo(command.status());
        }
      }
      assertThat(ledger.verify(Progress.NONE).clean()).isTrue();
    }
    return commands.size();
  }
}
