package dev.partita.server.auth;

import java.util.Optional;

/** Where keys are kept. Safe for use by several threads and processes. */
public interface ApiKeyStore extends ApiKeys {

  /**
   * Adds a new key.
   *
   * @return the key as stored, with the store's own time; empty if there is one of this name, now
   *     or ever: what was done under a name must stay one holder's
   * @throws dev.partita.MisuseException if {@link ApiKey#ACTIVE_MAX} keys are in use already
   */
  Optional<ApiKey> add(ApiKey key);

  /**
   * Revokes a key, for ever; one that is revoked stays as it is.
   *
   * @param nameOrId its name or, if none has it, its id
   * @return the key, revoked; empty if there is none
   */
  Optional<ApiKey> revoke(String nameOrId);
}
