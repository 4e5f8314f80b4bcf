package dev.partita.server.auth;

import java.util.List;

/** Where a server finds the keys. Safe for use by several threads. */
@FunctionalInterface
public interface ApiKeys {

  /**
   * All keys that were ever created, revoked ones included, in the order of their creation. Asked
   * for every few seconds, never for each request.
   *
   * @throws dev.partita.UnavailableException if they cannot be read now
   */
  List<ApiKey> all();
}
