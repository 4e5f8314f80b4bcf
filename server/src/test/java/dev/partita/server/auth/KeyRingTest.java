package dev.partita.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys are checked against a copy whose age is bounded. Time stands still unless a test moves it.
 */
class KeyRingTest {

  private final SecureRandom random = new SecureRandom();
  private final InMemoryApiKeys store = new InMemoryApiKeys(Clock.systemUTC());
  private final Deque<Runnable> renewals = new ArrayDeque<>();
  private long now = Long.MAX_VALUE - 5; // System.nanoTime may overflow
  private int reads;
  private boolean away;

  private final ApiKeys counting =
      () -> {
        reads++;
        if (away) {
          throw new UnavailableException(
              Reason.DATABASE_UNAVAILABLE, Outcome.NOT_POSTED, "gone", null);
        }
        return store.all();
      };

  private KeyRing ring() {
    return new KeyRing(counting, () -> now, renewals::add);
  }

  private PresentedKey add(String name) {
    PresentedKey key = PresentedKey.generate(random);
    assertThat(
            store.add(
                new ApiKey(key.id(), name, Set.of(Scope.READ), key.hash(), Instant.EPOCH, null)))
        .isPresent();
    return key;
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void findsTheHolderOfAKeyWithoutAskingTheStore() {
    PresentedKey key = add("shop");
    add("other");
    KeyRing ring = ring();
    for (int i = 0; i < 1_000; i++) {
      assertThat(ring.find(key.reveal()).orElseThrow().name()).isEqualTo("shop");
    }
    assertThat(reads).isOne();
  }

  @Test
  void refusesTheRightIdWithAWrongSecret() {
    PresentedKey key = add("shop");
    KeyRing ring = ring();
    String text = key.reveal();
    char last = text.charAt(text.length() - 1);
    String wrong = text.substring(0, text.length() - 1) + (last == 'A' ? 'B' : 'A');
    assertThat(ring.find(wrong)).isEmpty();
    PresentedKey another = add("another");
    String mixed = text.substring(0, 19) + another.reveal().substring(19);
    assertThat(PresentedKey.parse(mixed)).isPresent();
    assertThat(ring.find(mixed)).isEmpty();
  }

  @Test
  void refusesAKeyThatIsNotThere() {
    assertThat(ring().find(PresentedKey.generate(random).reveal())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "partita_", "partita_aaaaaaaaaa_", "Bearer", "パルティータ"})
  void refusesWhatHasNotTheFormOfAKey(String text) {
    assertThat(ring().find(text)).isEmpty();
  }

  @Test
  void knowsARevocationAtTheLatestWhenItsCopyIsTooOld() {
    PresentedKey key = add("shop");
    KeyRing ring = ring();
    store.revoke("shop");
    pass(KeyRing.VALID_FOR.minusNanos(1));
    assertThat(ring.find(key.reveal())).as("with the copy, while it is renewed").isPresent();
    pass(Duration.ofNanos(1));
    assertThat(ring.find(key.reveal())).isEmpty();
  }

  @Test
  void knowsANewKeyAtTheLatestWhenItsCopyIsTooOld() {
    KeyRing ring = ring();
    PresentedKey key = add("shop");
    assertThat(ring.find(key.reveal())).isEmpty();
    pass(KeyRing.VALID_FOR);
    assertThat(ring.find(key.reveal())).isPresent();
  }

  @Test
  void renewsItsCopyBesideTheRequests() {
    PresentedKey key = add("shop");
    KeyRing ring = ring();
    store.revoke("shop");
    pass(Duration.ofSeconds(1));
    assertThat(ring.find(key.reveal())).isPresent();
    assertThat(reads).isOne();
    renewals.removeFirst().run();
    assertThat(reads).isEqualTo(2);
    assertThat(ring.find(key.reveal())).isEmpty();
  }

  @Test
  void renewsOnceHoweverManyAsk() {
    PresentedKey key = add("shop");
    KeyRing ring = ring();
    pass(Duration.ofSeconds(2));
    for (int i = 0; i < 100; i++) {
      ring.find(key.reveal());
    }
    renewals.forEach(Runnable::run);
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void letsNobodyInOnAnOldCopyIfTheStoreIsAway() {
    PresentedKey key = add("shop");
    KeyRing ring = ring();
    away = true;
    pass(KeyRing.VALID_FOR.minusNanos(1));
    assertThat(ring.find(key.reveal())).isPresent();
    renewals.removeFirst().run();
    pass(Duration.ofNanos(1));
    assertThatThrownBy(() -> ring.find(key.reveal())).isInstanceOf(UnavailableException.class);
    int asked = reads;
    assertThatThrownBy(() -> ring.find(key.reveal())).isInstanceOf(UnavailableException.class);
    assertThat(reads).as("those who waited meanwhile do not wait again").isEqualTo(asked);
    away = false;
    pass(Duration.ofSeconds(1));
    assertThat(ring.find(key.reveal())).isPresent();
  }

  /** What makes the time of a refusal say nothing: always one hash, compared as a whole. */
  @Test
  void comparesHashesAsAWhole() {
    KeyHash hash = KeyHash.of("a");
    assertThat(hash).isEqualTo(KeyHash.ofHex(hash.hex())).isNotEqualTo(KeyHash.of("b"));
    assertThat(hash.toString()).doesNotContain(hash.hex());
    assertThatThrownBy(() -> KeyHash.ofHex("partita_secret")).message().doesNotContain("secret");
    assertThatThrownBy(() -> KeyHash.ofHex("00")).hasMessageContaining("64");
  }

  @Test
  void makesKeysThatCanBeRecognisedAndHideTheirSecret() {
    PresentedKey key = PresentedKey.generate(random);
    assertThat(key.reveal()).matches("partita_[A-Za-z0-9]{10}_[A-Za-z0-9]{43}");
    assertThat(PresentedKey.parse(key.reveal()).orElseThrow().hash()).isEqualTo(key.hash());
    assertThat(key.toString()).contains(key.id()).doesNotContain(key.reveal().substring(19));
    assertThat(List.of(key.reveal(), PresentedKey.generate(random).reveal()))
        .doesNotHaveDuplicates();
  }

  @Test
  void limitsFailuresAndForgivesThemWithTime() {
    FailureLimit limit = new FailureLimit(() -> now);
    int admitted = 0;
    while (limit.admits()) {
      admitted++;
    }
    assertThat(admitted).isEqualTo(50);
    pass(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      assertThat(limit.admits()).isTrue();
    }
    assertThat(limit.admits()).isFalse();
    pass(Duration.ofDays(1));
    for (int i = 0; i < 50; i++) {
      assertThat(limit.admits()).isTrue();
    }
    assertThat(limit.admits()).isFalse();
  }
}
