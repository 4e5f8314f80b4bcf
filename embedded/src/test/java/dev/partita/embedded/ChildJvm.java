package dev.partita.embedded;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Another JVM with the classes of this one, to be talked to, killed or run as another user. */
final class ChildJvm implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static Path openClassPath;

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread output;
  private final Thread errors;

  private ChildJvm(Process process) {
    this.process = process;
    // Each by itself: in one stream what is logged ends up in the middle of what is said.
    this.output = start(process.inputReader(StandardCharsets.UTF_8));
    this.errors = start(process.errorReader(StandardCharsets.UTF_8));
  }

  private Thread start(BufferedReader stream) {
    Thread thread = new Thread(() -> read(stream), "child-jvm-output");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  static ChildJvm start(Class<?> main, Object... arguments) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return start(List.of(), classPath, main, arguments);
  }

  /** As another user, which only root can do. The environment is passed through {@code env}. */
  static ChildJvm startAs(long uid, List<String> environment, Class<?> main, Object... arguments)
      throws Exception {
    List<String> prefix =
        new ArrayList<>(
            List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups", "env"));
    prefix.addAll(environment);
    return start(prefix, openClassPath(), main, arguments);
  }

  private static ChildJvm start(
      List<String> prefix, String classPath, Class<?> main, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", classPath, main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(new File("/"));
    builder.environment().put("LC_ALL", "C.UTF-8");
    return new ChildJvm(builder.start());
  }

  /** A class path that every user can read: the build's own may lie in a closed home directory. */
  private static synchronized String openClassPath() throws Exception {
    if (openClassPath == null) {
      openClassPath = OpenTempDirectory.create();
      Path copy = openClassPath;
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    try {
                      DurableFiles.deleteTree(copy);
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  }));
      String classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      int number = 0;
      for (String element : classPath.split(File.pathSeparator, -1)) {
        number++;
        Path target = openClassPath.resolve(number + "-" + Path.of(element).getFileName());
        new ProcessBuilder("cp", "-rL", element, target.toString()).inheritIO().start().waitFor();
      }
      new ProcessBuilder("chmod", "-R", "a+rX", openClassPath.toString()).start().waitFor();
    }
    try (var elements = Files.list(openClassPath)) {
      return elements
          .map(Path::toString)
          .sorted()
          .reduce((a, b) -> a + File.pathSeparator + b)
          .orElseThrow();
    }
  }

  private void read(BufferedReader stream) {
    try (stream) {
      stream.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(output ended: " + e.getMessage() + ")");
    }
  }

  /** Whether it has a child that is the server's program, in whatever state. */
  boolean hasStartedServer() {
    return process
        .children()
        .anyMatch(child -> child.info().command().orElse("").endsWith("/postgres"));
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Waits for a line that begins like this and returns the rest of it. */
  String awaitLine(String prefix) {
    await("a line \"" + prefix + "\"")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> has(line -> line.startsWith(prefix)) || !output.isAlive());
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no line \"" + prefix + "\" in:\n" + String.join("\n", lines)))
        .substring(prefix.length())
        .strip();
  }

  private boolean has(Predicate<String> wanted) {
    return lines.stream().anyMatch(wanted);
  }

  long count(String prefix) {
    return lines.stream().filter(line -> line.startsWith(prefix)).count();
  }

  /**
   * SIGKILL: no hook runs, nothing is said. Through the handle, which leaves the streams open: what
   * was said before is still to be read.
   */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM, as from a service manager. */
  void terminate() throws InterruptedException {
    process.toHandle().destroy();
    awaitEnd();
  }

  /** Lets the program go on, or end, by closing its input. */
  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the JVM does not end; it said:\n" + String.join("\n", lines));
    }
    output.join(PATIENCE);
    errors.join(PATIENCE);
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
