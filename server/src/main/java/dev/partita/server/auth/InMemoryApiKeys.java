package dev.partita.server.auth;

import dev.partita.MisuseException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keys kept in memory, for tests and for ledgers that are. Safe for use by several threads. */
public final class InMemoryApiKeys implements ApiKeyStore {

  private final Clock clock;
  // Guarded by this.
  private final List<ApiKey> keys = new ArrayList<>();

  /** No keys yet; what is created and revoked gets its time from the clock. */
  public InMemoryApiKeys(Clock clock) {
    this.clock = clock;
  }

  @Override
  public synchronized List<ApiKey> all() {
    return List.copyOf(keys);
  }

  @Override
  public synchronized Optional<ApiKey> add(ApiKey key) {
    if (keys.stream().anyMatch(each -> each.name().equals(key.name()))) {
      return Optional.empty();
    }
    if (keys.stream().filter(ApiKey::active).count() >= ApiKey.ACTIVE_MAX) {
      throw new MisuseException(
          ApiKey.ACTIVE_MAX + " keys are in use, the most there can be; revoke some");
    }
    ApiKey stored = new ApiKey(key.id(), key.name(), key.scopes(), key.hash(), now(), null);
    keys.add(stored);
    return Optional.of(stored);
  }

  @Override
  public synchronized Optional<ApiKey> revoke(String nameOrId) {
    int at = indexOf(nameOrId);
    if (at < 0) {
      return Optional.empty();
    }
    if (keys.get(at).active()) {
      keys.set(at, keys.get(at).revoked(now()));
    }
    return Optional.of(keys.get(at));
  }

  private int indexOf(String nameOrId) {
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).name().equals(nameOrId)) {
        return i;
      }
    }
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).id().equals(nameOrId)) {
        return i;
      }
    }
    return -1;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
