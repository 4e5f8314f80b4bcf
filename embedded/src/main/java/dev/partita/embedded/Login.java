package dev.partita.embedded;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * One role of the embedded server and all that is needed to connect as it.
 *
 * <p>The URL makes the driver insist on SCRAM: a stranger who took the port while the server was
 * down would otherwise be handed the password in clear text on request. {@link #toString()} leaves
 * the password out.
 *
 * @param jdbcUrl address of the ledger's database, without user and password
 * @param user name of the role
 * @param password password of the role
 */
public record Login(String jdbcUrl, String user, String password) {

  /** Checks that nothing is missing. */
  public Login {
    Objects.requireNonNull(jdbcUrl, "jdbcUrl");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
  }

  /**
   * Opens a new connection, which the caller closes. Safe to call from any thread.
   *
   * @throws SQLException if the server cannot be reached or refuses the role
   */
  public Connection connect() throws SQLException {
    Properties properties = new Properties();
    PGProperty.USER.set(properties, user);
    PGProperty.PASSWORD.set(properties, password);
    return Objects.requireNonNull(
        new Driver().connect(jdbcUrl, properties), "the driver did not accept the URL");
  }

  @Override
  public String toString() {
    return "Login[" + user + " at " + jdbcUrl + "]";
  }
}
