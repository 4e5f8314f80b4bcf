package dev.partita.server.auth;

import dev.partita.MisuseException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key: everything but the key itself. Immutable.
 *
 * @param id the part of the key that may be seen: 10 characters {@code A-Za-z0-9}
 * @param name who has it, 1 … 40 characters {@code A-Za-z0-9._-}, the first a letter or digit;
 *     recorded as the actor of what is done with it, and so never used again for another key
 * @param scopes what it allows, at least one
 * @param hash of the whole key
 * @param createdAt when it was created
 * @param revokedAt since when it allows nothing; null while it is in use
 */
public record ApiKey(
    String id,
    String name,
    Set<Scope> scopes,
    KeyHash hash,
    Instant createdAt,
    @Nullable Instant revokedAt) {

  /** Most keys in use at once: all of them are held in memory by every server. */
  public static final int ACTIVE_MAX = 1_000;

  // No slash: an actor that a client gives stands behind the name and a slash, so none is forged.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

  /**
   * Checks the values.
   *
   * @throws MisuseException naming the one that is wrong
   */
  public ApiKey {
    Objects.requireNonNull(hash, "hash");
    Objects.requireNonNull(createdAt, "createdAt");
    requireName(name);
    if (!PresentedKey.isId(id)) {
      throw new MisuseException("id", "must be 10 characters A-Z, a-z, 0-9");
    }
    if (scopes.isEmpty()) {
      throw new MisuseException("scopes", "a key allows at least one of read, post, admin");
    }
    scopes = Set.copyOf(scopes);
  }

  /**
   * Checks the name of a key.
   *
   * @throws MisuseException if it cannot be one
   */
  public static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new MisuseException(
          "name",
          "must be 1 to 40 characters A-Z, a-z, 0-9, '.', '_', '-', the first a letter or digit");
    }
  }

  /** Whether it is in use. */
  public boolean active() {
    return revokedAt == null;
  }

  /** Whether it allows this. */
  public boolean allows(Scope scope) {
    return scopes.contains(scope);
  }

  /** Its scopes in their order. */
  public Set<Scope> orderedScopes() {
    return new TreeSet<>(EnumSet.copyOf(scopes));
  }

  /** The same key, revoked. */
  public ApiKey revoked(Instant at) {
    return new ApiKey(id, name, scopes, hash, createdAt, at);
  }
}
