package dev.partita.postgres.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Callers on virtual threads, each posting one transfer at a time, and the one lane that serves
 * them: it takes what is queued and waits for nothing else.
 */
final class Load implements AutoCloseable {
  static final int ACCOUNTS = 10_000;
  private static final int HOT_ACCOUNT = 1;
  private static final int BATCH_TRANSFERS_MAX = 4_096;

  private final ArrayBlockingQueue<Transfer> queue = new ArrayBlockingQueue<>(65_536);
  private final WriteCycle cycle;
  private final int copyFrom;
  private final Thread lane;
  private final List<Thread> callers = new ArrayList<>();
  private volatile boolean stopping;
  private volatile Exception failure;

  Load(WriteCycle cycle, int callerCount, boolean hot, int copyFrom) {
    this.cycle = cycle;
    this.copyFrom = copyFrom;
    this.lane = Thread.ofPlatform().name("lane").start(this::serve);
    for (int i = 0; i < callerCount; i++) {
      callers.add(Thread.ofVirtual().start(() -> call(hot)));
    }
  }

  static Transfer random(boolean hot) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int credit = hot ? HOT_ACCOUNT : random.nextInt(1, ACCOUNTS + 1);
    int debit = random.nextInt(1, ACCOUNTS);
    return new Transfer(debit >= credit ? debit + 1 : debit, credit, random.nextInt(1, 1_000_000));
  }

  private void call(boolean hot) {
    try {
      while (!stopping) {
        Transfer transfer = random(hot);
        queue.put(transfer);
        if (!transfer.await()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve() {
    List<Transfer> taken = new ArrayList<>(BATCH_TRANSFERS_MAX);
    try {
      while (!(stopping && queue.isEmpty() && callers.stream().noneMatch(Thread::isAlive))) {
        Transfer first = queue.poll(50, TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        taken.add(first);
        queue.drainTo(taken, BATCH_TRANSFERS_MAX - 1);
        Batch batch = new Batch(taken.toArray(Transfer[]::new));
        cycle.commit(
            batch, batch.size() >= copyFrom ? WriteCycle.Way.COPY : WriteCycle.Way.BINARY_ARRAYS);
        for (Transfer transfer : taken) {
          transfer.committed(batch.number);
        }
        taken.clear();
      }
    } catch (SQLException | InterruptedException | RuntimeException e) {
      failure = e;
      stopping = true;
      taken.forEach(Transfer::failed);
      queue.forEach(Transfer::failed);
    }
  }

  WriteCycle.Progress progress() {
    return cycle.progress();
  }

  /** Lets every caller finish its last transfer; fails if the lane did. */
  @Override
  public void close() {
    stopping = true;
    try {
      lane.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw new IllegalStateException("the lane failed", failure);
    }
  }
}
