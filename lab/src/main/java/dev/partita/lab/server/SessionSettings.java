package dev.partita.lab.server;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.Login;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Logins whose every session begins with settings of its own, as options of the connection.
 *
 * <p>With {@code commit_delay=900} and {@code commit_siblings=0} commits take about a millisecond,
 * as on a disk where a sync does: the session that writes the log out waits 900 µs first, whether
 * or not others are active. That is an emulation, and a report has to call it so: it slows commits,
 * not reads or anything else that a slow disk slows. Samples of waits show it as running, because
 * the server waits without saying for what.
 */
public final class SessionSettings {

  private static final Pattern PRESENT = Pattern.compile("([?&]options=)([^&]*)");

  private SessionSettings() {}

  /** Lets both roles of an embedded server slow their commits. Twice changes nothing. */
  public static void allowSlowCommit(EmbeddedPostgres server) throws SQLException {
    try (Connection connection = server.superuser().connect();
        Statement statement = connection.createStatement()) {
      for (Login each : new Login[] {server.owner(), server.application()}) {
        statement.execute(
            "GRANT SET ON PARAMETER commit_delay TO "
                + statement.enquoteIdentifier(each.user(), true));
      }
    }
  }

  /** The same login with settings. Connecting fails if the role may not have them. */
  public static Login on(Login login, Map<String, String> settings) {
    return settings.isEmpty()
        ? login
        : new Login(withOptions(login.jdbcUrl(), settings), login.user(), login.password());
  }

  /** Options that are there already stay; of two settings of one name the server takes the last. */
  static String withOptions(String url, Map<String, String> settings) {
    String options =
        settings.entrySet().stream()
            .map(each -> "-c " + each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(" "));
    Matcher present = PRESENT.matcher(url);
    if (present.find()) {
      String earlier = URLDecoder.decode(present.group(2), StandardCharsets.UTF_8);
      return url.substring(0, present.start(2))
          + encode((earlier + " " + options).strip())
          + url.substring(present.end(2));
    }
    return url + (url.contains("?") ? "&" : "?") + "options=" + encode(options);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
