package dev.partita.server.auth;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks keys against a copy of those that there are, so that a request costs one hash and no
 * question to the store. Safe for use by any number of threads.
 *
 * <p>The copy is never used when it is older than {@link #VALID_FOR}: a key that is revoked is
 * refused everywhere after that time, and if the store cannot be asked by then nobody is let in. A
 * copy older than {@link #RENEW_AFTER} is renewed beside the requests, which need not wait for it.
 */
public final class KeyRing {

  /** How long after its revocation a key may still be taken, and a new one not yet be known. */
  public static final Duration VALID_FOR = Duration.ofSeconds(5);

  private static final Duration RENEW_AFTER = Duration.ofSeconds(1);
  private static final Logger LOGGER = System.getLogger(KeyRing.class.getName());

  /** Compared with where there is no key of an id, so that all refusals do the same work. */
  private static final KeyHash NOBODY = PresentedKey.generate(new SecureRandom()).hash();

  private final ApiKeys keys;
  private final LongSupplier nanoTime;
  private final Executor renewals;
  private final ReentrantLock renewing = new ReentrantLock();
  private volatile Copy copy;
  // Guarded by renewing.
  private @Nullable Failure failure;

  /** The keys in use by their ids, as they were at a time or later. */
  private record Copy(Map<String, ApiKey> active, long asOfNanos) {}

  /** That the store could not be asked, and when that was known. */
  private record Failure(RuntimeException cause, long atNanos) {}

  /**
   * A ring of these keys, which are read now.
   *
   * @throws dev.partita.UnavailableException if they cannot be read
   */
  public KeyRing(ApiKeys keys) {
    this(keys, System::nanoTime, task -> Thread.ofVirtual().name("partita-keys").start(task));
  }

  KeyRing(ApiKeys keys, LongSupplier nanoTime, Executor renewals) {
    this.keys = keys;
    this.nanoTime = nanoTime;
    this.renewals = renewals;
    this.copy = read();
  }

  /**
   * The key in use that a text is; empty if it is none.
   *
   * @throws dev.partita.UnavailableException if that cannot be known now
   */
  public Optional<ApiKey> find(String text) {
    Optional<PresentedKey> presented = PresentedKey.parse(text);
    if (presented.isEmpty()) {
      return Optional.empty();
    }
    ApiKey key = current().active().get(presented.get().id());
    KeyHash expected = key == null ? NOBODY : key.hash();
    boolean right = expected.equals(presented.get().hash());
    return right ? Optional.ofNullable(key) : Optional.empty();
  }

  private Copy current() {
    Copy found = copy;
    long age = nanoTime.getAsLong() - found.asOfNanos();
    if (age < RENEW_AFTER.toNanos()) {
      return found;
    }
    if (age < VALID_FOR.toNanos()) {
      renewBeside();
      return found;
    }
    renewing.lock();
    try {
      // Whoever had the lock before may have renewed it, or waited for nothing: then the others
      // need
      // not wait for the same, one after another.
      if (isTooOld()) {
        Failure last = failure;
        if (last != null && nanoTime.getAsLong() - last.atNanos() < RENEW_AFTER.toNanos()) {
          throw last.cause();
        }
        copy = readOrRemember();
      }
      return copy;
    } finally {
      renewing.unlock();
    }
  }

  private boolean isTooOld() {
    return nanoTime.getAsLong() - copy.asOfNanos() >= VALID_FOR.toNanos();
  }

  private void renewBeside() {
    if (renewing.isLocked()) {
      return;
    }
    renewals.execute(
        () -> {
          if (!renewing.tryLock()) {
            return;
          }
          try {
            if (nanoTime.getAsLong() - copy.asOfNanos() >= RENEW_AFTER.toNanos()) {
              copy = read();
            }
          } catch (RuntimeException e) {
            // The copy is good for a while; after that the requests are told.
            LOGGER.log(Level.DEBUG, "the API keys could not be read", e);
          } finally {
            renewing.unlock();
          }
        });
  }

  private Copy readOrRemember() {
    try {
      Copy read = read();
      failure = null;
      return read;
    } catch (RuntimeException e) {
      failure = new Failure(e, nanoTime.getAsLong());
      throw e;
    }
  }

  private Copy read() {
    // Before: what is changed while they are read may be missing.
    long asOfNanos = nanoTime.getAsLong();
    Map<String, ApiKey> active = new HashMap<>();
    for (ApiKey key : keys.all()) {
      if (key.active()) {
        active.put(key.id(), key);
      }
    }
    return new Copy(Map.copyOf(active), asOfNanos);
  }
}
