package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.server.health.Health;
import dev.partita.server.health.HealthProbe;
import dev.partita.server.health.Trouble;
import dev.partita.server.metrics.Meters;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HealthTest {

  private static final Trouble GONE =
      new Trouble("database_unavailable", "the database cannot be reached", "db.internal:5432");

  private final AtomicReference<Optional<Trouble>> state = new AtomicReference<>(Optional.empty());
  private final AtomicReference<Optional<Trouble>> damage = new AtomicReference<>(Optional.empty());
  private final AtomicInteger looks = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile boolean hanging;

  private final HealthProbe probe =
      new HealthProbe() {
        @Override
        public Optional<Trouble> look() {
          looks.incrementAndGet();
          if (hanging) {
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          return state.get();
        }

        @Override
        public Optional<Trouble> damage() {
          return damage.get();
        }
      };

  @Test
  void turnsWithWhatIsBelowIt() {
    Health health = new Health(probe, () -> false, Duration.ZERO, Duration.ofSeconds(20));
    assertThat(health.unready()).isEmpty();
    state.set(Optional.of(GONE));
    assertThat(health.unready()).contains(GONE);
    assertThat(health.damage()).isEmpty();
    state.set(Optional.empty());
    assertThat(health.unready()).isEmpty();
  }

  @Test
  void looksNoMoreOftenThanNeedBe() {
    Health health = new Health(probe, () -> false, Duration.ofHours(1), Duration.ofSeconds(20));
    for (int i = 0; i < 100; i++) {
      assertThat(health.unready()).isEmpty();
    }
    assertThat(looks).hasValue(1);
  }

  @Test
  void answersThoughTheDatabaseHangsAndDoesNotAskItTwice() {
    hanging = true;
    Health health = new Health(probe, () -> false, Duration.ZERO, Duration.ofMillis(20));
    for (int i = 0; i < 5; i++) {
      assertThat(health.unready().map(Trouble::cause)).contains("no_answer");
    }
    assertThat(looks).hasValue(1);
    hanging = false;
    released.countDown();
    Optional<Trouble> now = health.unready();
    while (now.isPresent()) {
      now = health.unready();
    }
    assertThat(health.damage()).isEmpty();
  }

  @Test
  void saysThatAProbeFailed() {
    HealthProbe broken =
        () -> {
          throw new IllegalStateException("broken by the test");
        };
    Health health = new Health(broken, () -> false, Duration.ZERO, Duration.ofSeconds(20));
    assertThat(health.unready().map(Trouble::cause)).contains("no_answer");
  }

  @Test
  void isAliveUnlessOnlyANewProcessHelps() {
    try (TestServer server =
        TestServer.watched(TestServer.CONFIG, new ServerOperations(new Meters(), probe, null))) {
      state.set(Optional.of(GONE));
      server.get("/health/live").ok(200);
      Answer unready = server.get("/health/ready").problem(503, "not_ready");
      assertThat(unready.text("/cause")).isEqualTo("database_unavailable");
      assertThat(unready.body()).doesNotContain("db.internal");

      damage.set(Optional.of(new Trouble("lane_stopped", "restart this process")));
      assertThat(server.get("/health/live").problem(503, "not_alive").text("/cause"))
          .isEqualTo("lane_stopped");
      assertThat(server.get("/health/ready").problem(503, "not_ready").text("/cause"))
          .isEqualTo("lane_stopped");
    }
  }
}
