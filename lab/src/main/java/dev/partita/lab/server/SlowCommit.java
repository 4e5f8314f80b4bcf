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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes commits take about a millisecond, as on a disk where a sync does: the session that writes
 * the log out waits 900 µs first, whether or not others are active. An emulation, and a report has
 * to call it so: it slows commits, not reads or anything else that a slow disk slows. Samples of
 * waits show it as running, because the server waits without saying for what.
 */
public final class SlowCommit {

  /** What a report says about it. */
  public static final String DECLARATION =
      "slow commit emulated: commit_delay=900, commit_siblings=0";

  private static final String OPTIONS = "-c commit_delay=900 -c commit_siblings=0";
  private static final Pattern PRESENT = Pattern.compile("([?&]options=)([^&]*)");

  private SlowCommit() {}

  /**
   * Whether the role may have it.
   *
   * @return what to do about it, for people; empty if it may
   */
  public static Optional<String> refusal(Login login) throws SQLException {
    try (Connection connection = login.connect()) {
      Map<String, Object> row =
          Monitor.row(
              connection,
              "SELECT pg_catalog.has_parameter_privilege('commit_delay', 'SET')::int AS allowed,"
                  + " pg_catalog.quote_ident(current_user::text) AS role");
      Long allowed = Monitor.number(row, "allowed");
      if (allowed != null && allowed == 1) {
        return Optional.empty();
      }
      return Optional.of(
          "slow commit needs the right to set commit_delay. As a superuser: GRANT SET ON PARAMETER"
              + " commit_delay TO "
              + Monitor.text(row, "role"));
    }
  }

  /** Lets both roles of an embedded server have it. Doing it twice changes nothing. */
  public static void allow(EmbeddedPostgres server) throws SQLException {
    try (Connection connection = server.superuser().connect();
        Statement statement = connection.createStatement()) {
      for (Login each : new Login[] {server.owner(), server.application()}) {
        statement.execute(
            "GRANT SET ON PARAMETER commit_delay TO "
                + statement.enquoteIdentifier(each.user(), true));
      }
    }
  }

  /**
   * The same login with slow commits. Connecting fails if the role may not have them; see {@link
   * #refusal}.
   */
  public static Login on(Login login) {
    return new Login(withOptions(login.jdbcUrl()), login.user(), login.password());
  }

  /** Options that are there already stay; of two settings of one name the server takes the last. */
  static String withOptions(String url) {
    Matcher present = PRESENT.matcher(url);
    if (present.find()) {
      String earlier = URLDecoder.decode(present.group(2), StandardCharsets.UTF_8);
      return url.substring(0, present.start(2))
          + encode((earlier + " " + OPTIONS).strip())
          + url.substring(present.end(2));
    }
    return url + (url.contains("?") ? "&" : "?") + "options=" + encode(OPTIONS);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
