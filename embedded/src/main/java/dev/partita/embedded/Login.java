package dev.partita.embedded;

import dev.partita.MisuseException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

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
   * A login to a database that is there already.
   *
   * @param url its JDBC URL, which may say user and password itself; they come first
   * @param user who logs in otherwise, or null
   * @param password theirs, or null
   * @throws MisuseException under the field {@code url} or {@code user}, without repeating the URL,
   *     if it is none or names nobody
   */
  public static Login given(String url, @Nullable String user, @Nullable String password) {
    PGSimpleDataSource parsed = new PGSimpleDataSource();
    try {
      parsed.setURL(url);
    } catch (IllegalArgumentException e) {
      // The driver's message would repeat the URL, and with it a password.
      throw new MisuseException(
          "url", "is not a JDBC URL such as jdbc:postgresql://localhost:5432/shop");
    }
    String name = parsed.getUser() == null ? user : parsed.getUser();
    String secret = parsed.getPassword() == null ? password : parsed.getPassword();
    if (name == null) {
      throw new MisuseException("user", "name who logs in to the given database");
    }
    return new Login(url, name, secret == null ? "" : secret);
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
