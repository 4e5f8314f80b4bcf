package dev.partita.lab.contender;

import dev.partita.embedded.Login;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Where one contender works.
 *
 * @param login who works there, and may make tables in {@code schema}
 * @param schema for the contender alone; made already, and empty
 * @param accounts how many it has; account 0 is the hot one where one is hot
 * @param opening what each account has at the beginning, in minor units
 */
public record Arena(Login login, String schema, int accounts, long opening) {

  /** A new connection in auto-commit. */
  public Connection connect() throws SQLException {
    return login.connect();
  }

  /** Runs statements; {@code {schema}}, {@code {accounts}} and {@code {opening}} stand for ours. */
  public void run(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(text(sql));
    }
  }

  /** A text with {@code {schema}}, {@code {accounts}} and {@code {opening}} replaced. */
  public String text(String sql) {
    return sql.replace("{schema}", schema)
        .replace("{accounts}", Integer.toString(accounts))
        .replace("{opening}", Long.toString(opening));
  }
}
