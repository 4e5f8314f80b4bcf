package dev.partita.validate.faults;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Signals to all processes of a server: its main one and those that this has started. */
final class Processes {

  private static final long END_SECONDS = 30;

  private Processes() {}

  /** Halts them where they are. The main one first, so that it starts no others meanwhile. */
  static void pause(long pid) throws IOException, InterruptedException {
    signal("STOP", List.of(pid));
    signal("STOP", all(pid));
  }

  /** Lets them go on. */
  static void resume(long pid) throws IOException, InterruptedException {
    signal("CONT", all(pid));
  }

  /** Ends them at once, paused or not, and waits until the main one is gone. */
  static void kill(long pid) throws IOException, InterruptedException {
    Optional<ProcessHandle> main = ProcessHandle.of(pid);
    if (main.isEmpty()) {
      return;
    }
    CompletableFuture<ProcessHandle> end = main.get().onExit();
    pause(pid);
    signal("KILL", all(pid));
    try {
      end.get(END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("process " + pid + " does not end", e);
    }
  }

  private static List<Long> all(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(main -> Stream.concat(main.children(), Stream.of(main)))
        .map(ProcessHandle::pid)
        .toList();
  }

  /** One that is gone by now needs no signal. */
  private static void signal(String name, List<Long> pids)
      throws IOException, InterruptedException {
    if (pids.isEmpty()) {
      return;
    }
    String list = pids.stream().map(String::valueOf).collect(Collectors.joining(" "));
    new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + list)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
