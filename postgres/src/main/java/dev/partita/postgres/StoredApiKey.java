package dev.partita.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of API keys. What the texts mean is the business of whoever checks keys.
 *
 * @param id the public part of the key, unique
 * @param name who has it, unique for ever
 * @param hash SHA-256 of the key, as 64 hexadecimal digits
 * @param scopes what it allows: of {@code read}, {@code post}, {@code admin}, at least one
 * @param createdAt when it was added, by the database's clock
 * @param revokedAt since when it is not in use; null while it is
 */
public record StoredApiKey(
    String id,
    String name,
    String hash,
    List<String> scopes,
    Instant createdAt,
    @Nullable Instant revokedAt) {

  /** Takes a copy. */
  public StoredApiKey {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(hash, "hash");
    Objects.requireNonNull(createdAt, "createdAt");
    scopes = List.copyOf(scopes);
  }

  /** Without the hash. */
  @Override
  public String toString() {
    return "StoredApiKey[id="
        + id
        + ", name="
        + name
        + ", scopes="
        + scopes
        + ", createdAt="
        + createdAt
        + ", revokedAt="
        + revokedAt
        + "]";
  }
}
