package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresApiKeysTest {

  private static final String HASH = "00112233445566778899aabbccddeeff".repeat(2);
  private static final int MANY = 1_000;

  private static String schema;
  private static int number;

  private final PostgresApiKeys owner = new PostgresApiKeys(TestServer.owner(), schema);
  private final PostgresApiKeys server = new PostgresApiKeys(TestServer.application(), schema);

  private String id;
  private String name;

  @BeforeAll
  static void makeSchema() {
    schema = TestServer.freshSchema();
  }

  @BeforeEach
  void chooseAName() {
    number++;
    id = "key%07d".formatted(number);
    name = "shop-" + number;
  }

  private StoredApiKey add() {
    return owner.add(id, name, HASH, List.of("read", "post"), MANY).orElseThrow();
  }

  @Test
  void keepsAKeyUntilItIsRevokedAndTheRowForEver() {
    StoredApiKey added = add();
    assertThat(added.id()).isEqualTo(id);
    assertThat(added.name()).isEqualTo(name);
    assertThat(added.hash()).isEqualTo(HASH);
    assertThat(added.scopes()).containsExactly("read", "post");
    assertThat(added.revokedAt()).isNull();
    assertThat(server.all()).last().isEqualTo(added);

    StoredApiKey revoked = owner.revoke(name).orElseThrow();
    assertThat(revoked.revokedAt()).isAfterOrEqualTo(added.createdAt());
    assertThat(server.all()).last().isEqualTo(revoked);
    assertThat(owner.revoke(id)).contains(revoked);
    assertThat(owner.revoke("nobody")).isEmpty();
  }

  @Test
  void givesANameOnceEvenIfItsKeyIsRevoked() {
    add();
    Optional<StoredApiKey> second =
        owner.add("another" + id.substring(7), name, HASH, List.of("read"), MANY);
    assertThat(second).isEmpty();
    owner.revoke(name);
    assertThat(owner.add("another" + id.substring(7), name, HASH, List.of("read"), MANY)).isEmpty();
  }

  @Test
  void findsByTheNameBeforeTheId() {
    add();
    String other = "other" + id.substring(5);
    assertThat(owner.add(other, id, HASH, List.of("read"), MANY)).isPresent();
    assertThat(owner.revoke(id).orElseThrow().id()).isEqualTo(other);
  }

  @Test
  void addsNoMoreThanMayBeInUse() {
    add();
    int inUse = (int) owner.all().stream().filter(key -> key.revokedAt() == null).count();
    assertThatThrownBy(() -> owner.add("a000000000", "one-more", HASH, List.of("read"), inUse))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("revoke some");
    owner.revoke(name);
    assertThat(owner.add("b" + id.substring(1), name + "b", HASH, List.of("read"), inUse))
        .isPresent();
  }

  @Test
  void keepsTheHashAndNothingElseOfAKey() throws SQLException {
    add();
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT to_jsonb(k) - 'hash' || jsonb_build_object('bytes', octet_length(hash))"
                    + " FROM "
                    + schema
                    + ".api_key k WHERE name = '"
                    + name
                    + "'")) {
      row.next();
      assertThat(row.getString(1)).contains(id, name, "\"bytes\": 32").doesNotContain("secret");
    }
    assertThat(add(name + "x").toString()).doesNotContain(HASH);
  }

  private StoredApiKey add(String otherName) {
    return owner.add("c" + id.substring(1), otherName, HASH, List.of("admin"), MANY).orElseThrow();
  }

  @Test
  void letsAServerOnlyRead() {
    add();
    assertThatThrownBy(() -> server.add("d000000000", "mine", HASH, List.of("admin"), MANY))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("owner of schema");
    assertThatThrownBy(() -> server.revoke(name))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("owner of schema");
    assertThat(server.all()).last().matches(key -> key.revokedAt() == null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM %s.api_key",
        "TRUNCATE %s.api_key",
        "UPDATE %s.api_key SET hash = sha256('x'), revoked_at = now()",
        "UPDATE %s.api_key SET scopes = '{admin}', revoked_at = now()",
        "UPDATE %s.api_key SET name = 'y', revoked_at = now()",
        "UPDATE %s.api_key SET revoked_at = NULL",
        "UPDATE %s.api_key SET created_at = now(), revoked_at = now()",
      })
  void nobodyChangesAKeyButToRevokeIt(String statement) {
    add();
    owner.revoke(name);
    add(name + "-active");
    assertThatThrownBy(() -> execute(statement))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("is refused");
  }

  @ParameterizedTest
  @CsvSource({
    "short, good, 32, '{read}'",
    "a-b-c-d-e-, good, 32, '{read}'",
    "aaaaaaaaaa, bad/name, 32, '{read}'",
    "aaaaaaaaaa, '', 32, '{read}'",
    "aaaaaaaaaa, good, 31, '{read}'",
    "aaaaaaaaaa, good, 32, '{}'",
    "aaaaaaaaaa, good, 32, '{root}'",
    "aaaaaaaaaa, good, 32, '{read,NULL}'",
  })
  void theTableTakesNothingThatIsNoKey(String key, String holder, int bytes, String scopes) {
    assertThatThrownBy(
            () ->
                execute(
                    "INSERT INTO %s.api_key (id, name, hash, scopes) VALUES ('"
                        + key
                        + "', '"
                        + holder
                        + "', decode(repeat('00', "
                        + bytes
                        + "), 'hex'), '"
                        + scopes
                        + "')"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("check constraint");
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql.formatted(schema));
    }
  }
}
