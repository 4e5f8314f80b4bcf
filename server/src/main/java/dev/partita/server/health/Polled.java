package dev.partita.server.health;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question to something that may be slow or hang. However many ask, it is put once at a time, and
 * not again while its answer is fresh; and nobody waits for it longer than the patience lasts. Safe
 * for use by any number of threads.
 *
 * @param <T> of the answer
 */
public final class Polled<T> {

  private final Supplier<T> question;
  private final long freshNanos;
  private final long patienceNanos;
  private @Nullable Round<T> last;

  /** The question being put, or its answer. */
  private record Round<T>(long beganNanos, CompletableFuture<T> answer) {}

  /**
   * A question.
   *
   * @param question put on a thread of its own; should end some time
   * @param fresh for how long after it was put an answer holds
   * @param patience how long to wait for an answer, counted from when the question was put
   */
  public Polled(Supplier<T> question, Duration fresh, Duration patience) {
    this.question = question;
    this.freshNanos = fresh.toNanos();
    this.patienceNanos = patience.toNanos();
  }

  /** The answer; empty if there is none in time, or the question failed. */
  public Optional<T> ask() {
    long nowNanos = System.nanoTime();
    Round<T> round = round(nowNanos);
    long leftNanos = patienceNanos - (nowNanos - round.beganNanos());
    try {
      return Optional.of(round.answer().get(Math.max(0, leftNanos), TimeUnit.NANOSECONDS));
    } catch (TimeoutException | ExecutionException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private synchronized Round<T> round(long nowNanos) {
    Round<T> round = last;
    if (round == null || (round.answer().isDone() && nowNanos - round.beganNanos() >= freshNanos)) {
      round = new Round<>(nowNanos, new CompletableFuture<>());
      last = round;
      put(round.answer());
    }
    return round;
  }

  private void put(CompletableFuture<T> answer) {
    Thread.ofVirtual()
        .name("partita-poll")
        .start(
            () -> {
              try {
                answer.complete(question.get());
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
  }
}
