package dev.partita.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * So many callers, each with one operation at a time and no pause: when the target is slow, less is
 * offered. It measures throughput; its response times say nothing about what callers who do not
 * wait for each other would see.
 */
public final class ClosedLoop {

  private ClosedLoop() {}

  /**
   * Runs one caller for each worker.
   *
   * @param sources the operations of each caller, by its number
   * @throws IllegalStateException if a caller died: then nothing was measured
   * @throws InterruptedException if the thread was interrupted; the callers have ended then, in the
   *     middle of what they were doing
   */
  public static Measured run(
      List<Worker> workers, IntFunction<Source> sources, Window window, Observer observer)
      throws InterruptedException {
    long begin = System.nanoTime() + window.warmUp().toNanos();
    long end = begin + window.length().toNanos();
    Tally tally = new Tally(begin, end);
    try (ExecutorService threads = Threads.of(workers).start(workers.size())) {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < workers.size(); i++) {
        Worker worker = workers.get(i);
        Source source = sources.apply(i);
        callers.add(threads.submit(() -> call(worker, source, tally, end, observer)));
      }
      await(callers, threads);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a caller died: " + e.getCause(), e.getCause());
    }
    return tally.measured("closed loop, " + workers.size() + " callers");
  }

  private static void await(List<Future<?>> callers, ExecutorService threads)
      throws InterruptedException, ExecutionException {
    try {
      for (Future<?> caller : callers) {
        caller.get();
      }
    } catch (InterruptedException e) {
      // Closing them alone would wait for the end of the window.
      threads.shutdownNow();
      throw e;
    }
  }

  private static void call(Worker worker, Source source, Tally tally, long end, Observer observer) {
    for (long now = System.nanoTime();
        now - end < 0 && observer.wantsMore() && !Thread.currentThread().isInterrupted(); ) {
      Operation operation = source.next();
      tally.offered(now);
      tally.dispatched(now);
      Answer answer = worker.perform(operation);
      long ended = System.nanoTime();
      tally.ended(new Tally.Span(now, now, now, ended), answer);
      observer.ended(operation, answer);
      now = ended;
    }
  }
}
