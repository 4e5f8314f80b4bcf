package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.PostItem;
import dev.partita.PostResult;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ledgers that do not tell the truth. */
final class Lying {

  private static final int EVERY = 50;

  private Lying() {}

  /** What a ledger does with one item. */
  @FunctionalInterface
  private interface Post {
    PostResult.Item post(PostItem item);
  }

  private static Ledger posting(Ledger real, Post post) {
    return Proxies.proxy(
        Ledger.class,
        (method, arguments) ->
            method.getReturnType() == PostResult.Item.class && arguments[0] instanceof PostItem item
                ? post.post(item)
                : Proxies.call(real, method, arguments));
  }

  /** Does something else with every item, after the real ledger has answered it. */
  static Ledger about(Ledger real, Consumer<PostItem> then) {
    return posting(
        real,
        item -> {
          PostResult.Item answer = real.post(item);
          then.accept(item);
          return answer;
        });
  }

  /** Now and then it posts and says that it did not. */
  static Ledger notPosted(Ledger real) {
    AtomicInteger count = new AtomicInteger();
    return about(
        real,
        item -> {
          if (count.incrementAndGet() % EVERY == 0) {
            throw new UnavailableException(
                Reason.TIMED_OUT, Outcome.NOT_POSTED, "a planted lie", null);
          }
        });
  }

  /** Once it could not answer, it takes two seconds for everything. */
  static Ledger tired(Ledger real) {
    AtomicBoolean isTired = new AtomicBoolean();
    return posting(
        real,
        item -> {
          if (isTired.get()) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
          }
          try {
            return real.post(item);
          } catch (UnavailableException e) {
            isTired.set(true);
            throw e;
          }
        });
  }

  /** Now and then it says that it posted and did not. */
  static Ledger created(Ledger real) {
    AtomicInteger count = new AtomicInteger();
    AtomicReference<@Nullable Transfer> other = new AtomicReference<>();
    return posting(
        real,
        item -> {
          Transfer shown = other.get();
          if (shown != null
              && item instanceof TransferRequest
              && count.incrementAndGet() % EVERY == 0) {
            return new PostResult.Item(List.of(TransferResult.created(shown)));
          }
          PostResult.Item answer = real.post(item);
          answer.transfers().stream()
              .filter(each -> each.status().isRecorded())
              .forEach(each -> other.set(each.orThrow()));
          return answer;
        });
  }
}
