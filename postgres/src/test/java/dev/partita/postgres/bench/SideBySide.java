package dev.partita.postgres.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Several builds of Partita in one process, on one server, in turns: what a change gives, on a
 * machine that does not keep still. Name the same build twice to see what is noise.
 *
 * <p>{@code SideBySide --url JDBC [--rounds 5] [--seconds 2] [--callers 1,4,16,64] [--batch 1]
 * [--uniform] NAME=CLASSPATH NAME=CLASSPATH…}, where each class path has core, postgres, this
 * package and what they need. Each build makes a schema of its own in the database and leaves it
 * there. Processor time of the server is that of all processes called postgres.
 */
public final class SideBySide {

  private static final long WARM_UP_NANOS = 700_000_000;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Function<Map<String, Long>, Map<String, Double>>> builds =
      new LinkedHashMap<>();

  private record Window(double perSecond, double p50Micros, double server, double client) {}

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options =
        new HashMap<>(Map.of("rounds", "5", "seconds", "2", "callers", "1,4,16,64", "batch", "1"));
    SideBySide bench = new SideBySide();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals("--uniform")) {
        options.put("uniform", "");
      } else if (arguments[i].startsWith("--")) {
        options.put(arguments[i].substring(2), arguments[++i]);
      } else {
        bench.load(options.get("url"), arguments[i]);
      }
    }
    for (String callers : options.get("callers").split(",", -1)) {
      bench.compare(Long.parseLong(callers), options);
    }
    System.exit(0); // The ledgers' threads need not end.
  }

  private void load(String url, String build) throws Exception {
    String name = build.substring(0, build.indexOf('='));
    List<URL> elements = new ArrayList<>();
    for (String element : build.substring(name.length() + 1).split(File.pathSeparator, -1)) {
      elements.add(Path.of(element).toUri().toURL());
    }
    ClassLoader loader =
        new URLClassLoader(elements.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    String schema = "side_" + names.size() + "_" + Long.toString(System.currentTimeMillis(), 36);
    @SuppressWarnings("unchecked") // HotLoad is of another class loader
    Function<Map<String, Long>, Map<String, Double>> load =
        (Function<Map<String, Long>, Map<String, Double>>)
            loader
                .loadClass("dev.partita.postgres.bench.HotLoad")
                .getConstructor(String.class, String.class)
                .newInstance(url, schema);
    names.add(name);
    builds.put(name, load);
  }

  private void compare(long callers, Map<String, String> options) {
    Map<String, List<Window>> windows = new LinkedHashMap<>();
    names.forEach(name -> windows.put(name, new ArrayList<>()));
    int rounds = Integer.parseInt(options.get("rounds"));
    for (int round = 0; round < rounds; round++) {
      List<String> turn = new ArrayList<>(names);
      if (round % 2 == 1) {
        Collections.reverse(turn);
      }
      turn.forEach(name -> windows.get(name).add(window(name, callers, options)));
    }
    for (String name : names) {
      List<Window> own = windows.get(name);
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        ratios.add(own.get(i).perSecond() / windows.get(names.getFirst()).get(i).perSecond());
      }
      System.out.printf(
          Locale.ROOT,
          "%5d callers  %-12s %8.0f/s  p50 %8.0f µs  ratio %.2f (%.2f … %.2f)  server %6.1f µs,"
              + " client %6.1f µs a transfer%n",
          callers,
          name,
          median(own.stream().map(Window::perSecond).toList()),
          median(own.stream().map(Window::p50Micros).toList()),
          median(ratios),
          Collections.min(ratios),
          Collections.max(ratios),
          median(own.stream().map(Window::server).toList()),
          median(own.stream().map(Window::client).toList()));
    }
  }

  private Window window(String name, long callers, Map<String, String> options) {
    long seconds = Long.parseLong(options.get("seconds"));
    double server = serverNanos();
    double client = clientNanos();
    Map<String, Double> measured =
        builds
            .get(name)
            .apply(
                Map.of(
                    "callers",
                    callers,
                    "batch",
                    Long.valueOf(options.get("batch")),
                    "uniform",
                    options.containsKey("uniform") ? 1L : 0L,
                    "warmUpNanos",
                    WARM_UP_NANOS,
                    "nanos",
                    TimeUnit.SECONDS.toNanos(seconds)));
    double all = Math.max(1, measured.get("all"));
    return new Window(
        measured.get("transfers") / seconds,
        measured.get("p50Micros"),
        (serverNanos() - server) / 1e3 / all,
        (clientNanos() - client) / 1e3 / all);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static double clientNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }

  /** Time on a processor, from /proc; a process that has ended meanwhile is not counted. */
  private static double serverNanos() {
    double sum = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        sum += nanosIfPostgres(process);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }

  private static double nanosIfPostgres(Path process) {
    try {
      return Files.readString(process.resolve("comm")).startsWith("postgres")
          ? Double.parseDouble(Files.readString(process.resolve("schedstat")).split(" ", -1)[0])
          : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
