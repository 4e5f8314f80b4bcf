package dev.partita.cli.connect;

import dev.partita.server.auth.ApiKeyStore;

/** The API keys beside a ledger, opened for administration. */
public interface KeysSession extends AutoCloseable {

  /** The keys. */
  ApiKeyStore keys();

  @Override
  void close();
}
