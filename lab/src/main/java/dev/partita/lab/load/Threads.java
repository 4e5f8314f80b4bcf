package dev.partita.lab.load;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What operations are carried out on. */
public enum Threads {
  /**
   * A thread of the operating system for each worker, as a service has that keeps a connection for
   * each of its threads. A virtual thread is slower where each operation waits for a socket several
   * times: whenever it does, two threads have to be woken instead of one.
   */
  PLATFORM,

  /** A virtual thread for each caller or operation: there may be thousands of them. */
  VIRTUAL;

  /** What these workers want; virtual threads unless all of them want otherwise. */
  static Threads of(List<Worker> workers) {
    return workers.stream().allMatch(each -> each.threads() == PLATFORM) ? PLATFORM : VIRTUAL;
  }

  /** Runs as many tasks at once as there are workers, or more. */
  ExecutorService start(int workers) {
    return switch (this) {
      case PLATFORM -> Executors.newFixedThreadPool(workers);
      case VIRTUAL -> Executors.newVirtualThreadPerTaskExecutor();
    };
  }
}
