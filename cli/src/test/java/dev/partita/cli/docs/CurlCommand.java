package dev.partita.cli.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A curl command as documents show it, done without curl.
 *
 * @param text as shown
 * @param status what it is said to be answered with; 0 if only that it succeeds
 */
public record CurlCommand(String text, int status) {

  private static final String EXPECTED = "# answers ";
  private static final String SHOWN_SERVER = "http://127.0.0.1:7070";

  /** The commands in the code blocks of a document, in order. */
  static List<CurlCommand> in(String markdown) {
    List<CurlCommand> found = new ArrayList<>();
    boolean code = false;
    StringBuilder open = new StringBuilder();
    for (String line : markdown.split("\n", -1)) {
      if (line.startsWith("```")) {
        code = !code;
      } else if (code && (!open.isEmpty() || line.startsWith("curl "))) {
        open.append(open.isEmpty() ? "" : "\n").append(line);
        if (open.chars().filter(c -> c == '\'').count() % 2 == 0) {
          found.add(of(open.toString()));
          open.setLength(0);
        }
      }
    }
    return found;
  }

  /** One command, with a comment behind it that says what is answered. */
  public static CurlCommand of(String text) {
    int comment = text.lastIndexOf(EXPECTED);
    return comment < 0
        ? new CurlCommand(text.strip(), 0)
        : new CurlCommand(
            text.substring(0, comment).strip(),
            Integer.parseInt(text.substring(comment + EXPECTED.length()).strip()));
  }

  /** Asks that server in the place of the one shown. */
  public HttpResponse<String> ask(HttpClient client, URI server)
      throws IOException, InterruptedException {
    String uri = null;
    String method = null;
    String body = null;
    List<String> headers = new ArrayList<>();
    List<String> words = words(text);
    for (int i = 1; i < words.size(); i++) {
      switch (words.get(i)) {
        case "-s" -> {}
        case "-X" -> method = words.get(++i);
        case "-d" -> body = words.get(++i);
        case "-H" -> headers.addAll(List.of(words.get(++i).split(": ", 2)));
        default -> uri = words.get(i).replace(SHOWN_SERVER, server.toString());
      }
    }
    if (uri == null || !uri.startsWith(server.toString())) {
      throw new IllegalArgumentException("asks another server: " + text);
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
    if (!headers.isEmpty()) {
      request.headers(headers.toArray(String[]::new));
    }
    return client.send(
        request.method(method(method, body), publisher(body)).build(), BodyHandlers.ofString());
  }

  private static String method(@Nullable String method, @Nullable String body) {
    return method != null ? method : body == null ? "GET" : "POST";
  }

  private static HttpRequest.BodyPublisher publisher(@Nullable String body) {
    return body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
  }

  /** As the shell splits them: at spaces outside of single or double quotes. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    for (char c : (command + " ").toCharArray()) {
      if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (!word.isEmpty()) {
          words.add(word.toString());
          word.setLength(0);
        }
      } else {
        word.append(c);
      }
    }
    return words;
  }
}
