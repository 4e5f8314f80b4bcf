package dev.partita.cli.connect;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import dev.partita.postgres.PostgresApiKeys;
import dev.partita.postgres.StoredApiKey;
import dev.partita.server.auth.ApiKey;
import dev.partita.server.auth.ApiKeyStore;
import dev.partita.server.auth.KeyHash;
import dev.partita.server.auth.Scope;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The rows of PostgreSQL as the keys that a server checks. */
record StoredKeys(PostgresApiKeys rows) implements ApiKeyStore {

  @Override
  public List<ApiKey> all() {
    return rows.all().stream().map(StoredKeys::key).toList();
  }

  @Override
  public Optional<ApiKey> add(ApiKey key) {
    List<String> scopes = key.orderedScopes().stream().map(Scope::text).toList();
    return rows.add(key.id(), key.name(), key.hash().hex(), scopes, ApiKey.ACTIVE_MAX)
        .map(StoredKeys::key);
  }

  @Override
  public Optional<ApiKey> revoke(String nameOrId) {
    return rows.revoke(nameOrId).map(StoredKeys::key);
  }

  private static ApiKey key(StoredApiKey row) {
    try {
      return new ApiKey(
          row.id(),
          row.name(),
          row.scopes().stream().map(Scope::of).collect(Collectors.toSet()),
          KeyHash.ofHex(row.hash()),
          row.createdAt(),
          row.revokedAt());
    } catch (MisuseException e) {
      throw new CorruptionException(
          "API key " + row.id() + " is stored wrongly: " + e.getMessage());
    }
  }
}
