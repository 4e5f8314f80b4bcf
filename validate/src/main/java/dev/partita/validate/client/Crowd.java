package dev.partita.validate.client;

import dev.partita.validate.Goal;
import dev.partita.validate.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Many clients at work at once, each on a virtual thread, one request at a time. Thread-safe. */
public final class Crowd {

  private final Run run;
  private final List<Client> clients = new ArrayList<>();
  private final LongAdder recorded = new LongAdder();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /** So many clients of a bank, each with a seed of its own. */
  public Crowd(Run run, Bank bank, int size) {
    this.run = run;
    for (int i = 0; i < size; i++) {
      clients.add(new Client(bank, run.random("client " + i)));
    }
  }

  /** Transfers recorded by all of them so far. */
  public long recorded() {
    return recorded.sum();
  }

  /** Lets them finish what they have begun, and no more. */
  public void stop() {
    stopped.set(true);
  }

  /** Works until a goal is reached, counted in recorded transfers. */
  public void work(Teller teller, Goal goal) throws InterruptedException {
    work(
        teller,
        () -> {
          run.progress(recorded(), goal.target(), "transfers");
          return goal.reached(recorded());
        });
  }

  /** Works until told that it is enough, or stopped. */
  public void work(Teller teller, BooleanSupplier enough) throws InterruptedException {
    stopped.set(false);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> working = new ArrayList<>();
      for (Client client : clients) {
        working.add(
            threads.submit(
                () -> {
                  while (!stopped.get() && !enough.getAsBoolean()) {
                    recorded.add(client.step(teller));
                  }
                  return null;
                }));
      }
      for (Future<?> each : working) {
        try {
          each.get();
        } catch (ExecutionException e) {
          stop();
          throw new IllegalStateException("a client failed: " + e.getCause(), e.getCause());
        }
      }
    }
  }
}
