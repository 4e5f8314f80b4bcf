package dev.partita.cli.build;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher, copied into a small source tree of its own, with a Java and a Maven that only note
 * how they were called.
 */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class LauncherTest {
  @TempDir Path folder;
  private Path project;
  private Path tools;
  private Path jdks;
  private Path mavenCalls;
  private final Map<String, String> environment = new LinkedHashMap<>();

  @BeforeEach
  void copyLauncher() throws IOException {
    project = Files.createDirectories(folder.resolve("a project"));
    tools = Files.createDirectories(folder.resolve("tools"));
    jdks = Files.createDirectories(folder.resolve("jdks"));
    mavenCalls = folder.resolve("maven-calls");
    Files.copy(SourceTree.ofThisProject().root().resolve("partita"), project.resolve("partita"));
    executable(project.resolve("partita"));
    write(project.resolve("pom.xml"), "<project/>");
    write(project.resolve("core/pom.xml"), "<project/>");
    write(project.resolve("core/src/main/java/Ledger.java"), "class Ledger {}");
    write(project.resolve(".mvn/maven.config"), "");
    script(
        tools.resolve("mvn"),
        "echo \"$JAVA_HOME $*\" >>'" + mavenCalls + "'",
        "[ ! -e '" + folder + "/broken' ] || { echo '[ERROR] Ledger.java:1'; exit 1; }",
        "sleep 0.3",
        "mkdir -p cli/target/quick/lib && echo jar >cli/target/quick/lib/partita-cli.jar");
    environment.put("PATH", tools + ":/usr/bin:/bin");
    environment.put("PARTITA_JDK_DIRS", jdks.toString());
  }

  @Test
  void takesTheJdkOfTheRightVersion() throws Exception {
    jdk(jdks.resolve("jdk-21"), "21.0.5");
    jdk(jdks.resolve("jdk-25"), "25.0.3");
    jdk(jdks.resolve("jdk-250"), "250");
    assertThat(run("--java-home").out()).containsExactly(jdks + "/jdk-25");
  }

  @Test
  void looksInTheDocumentedOrder() throws Exception {
    jdk(jdks.resolve("usual"), "25");
    assertThat(run("--java-home").out()).containsExactly(jdks + "/usual");

    jdk(folder.resolve("on-path"), "25.0.1");
    Files.createSymbolicLink(tools.resolve("java"), Path.of("../on-path/bin/java"));
    assertThat(run("--java-home").out()).containsExactly(folder + "/on-path");

    jdk(folder.resolve("java-home"), "25");
    environment.put("JAVA_HOME", folder + "/java-home");
    assertThat(run("--java-home").out()).containsExactly(folder + "/java-home");

    jdk(project.resolve("runtime"), "25");
    assertThat(run("--java-home").out()).containsExactly(project + "/runtime");

    jdk(folder.resolve("own/Contents/Home"), "25");
    environment.put("PARTITA_JAVA_HOME", folder + "/own");
    assertThat(run("--java-home").out()).containsExactly(folder + "/own/Contents/Home");
  }

  @Test
  void saysInOneLineThatThereIsNoJdk() throws Exception {
    jdk(jdks.resolve("jdk-21"), "21.0.5");
    // The java of the machine that runs this test must not be found.
    environment.put("PATH", onlyCommands("dirname", "basename", "readlink", "bash"));
    Result result = run("demo");
    assertThat(result.status()).isEqualTo(78);
    assertThat(result.err())
        .singleElement()
        .asString()
        .contains("JDK 25")
        .contains("PARTITA_JAVA_HOME");
  }

  @Test
  void refusesAJdkThatWasNamedButDoesNotFit() throws Exception {
    jdk(jdks.resolve("jdk-21"), "21.0.5");
    jdk(jdks.resolve("jdk-25"), "25");
    environment.put("PARTITA_JAVA_HOME", jdks + "/jdk-21");
    Result result = run("demo");
    assertThat(result.status()).isEqualTo(78);
    assertThat(result.err()).singleElement().asString().contains("jdk-21");
  }

  @Test
  void saysInOneLineThatThereIsNoMaven() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    environment.put("PARTITA_JAVA_HOME", jdks + "/jdk-25");
    environment.put(
        "PATH",
        onlyCommands(
            "dirname", "basename", "bash", "find", "sort", "cksum", "cat", "mkdir", "rm", "flock"));
    Result result = run("demo");
    assertThat(result.status()).isEqualTo(78);
    assertThat(result.err()).singleElement().asString().contains("Maven");
  }

  @Test
  void buildsOnceAndPassesArgumentsAsTheyAre() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    environment.put("PARTITA_JAVA_OPTS", "-Xmx99m -Dx=1");
    Result first = run("post", "two words", "");
    assertThat(first.status()).isEqualTo(42);
    assertThat(first.err()).singleElement().asString().startsWith("partita: building (first use");
    assertThat(first.out())
        .contains("in " + folder, "<-Xmx99m>", "<-Dx=1>", "<two words>", "<>")
        .containsSubsequence("<dev.partita.cli.Main>", "<post>", "<two words>", "<>");

    Result second = run("post");
    assertThat(second.err()).isEmpty();
    assertThat(mavenCalls()).singleElement().asString().startsWith(jdks + "/jdk-25 ");
  }

  @Test
  void buildsAgainWhenASourceChangesAppearsOrDisappears() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    run("demo");
    write(project.resolve("core/src/main/java/Ledger.java"), "class Ledger { }");
    assertThat(run("demo").err()).containsExactly("partita: building (sources changed) …");
    write(project.resolve("core/src/main/java/Account.java"), "class Account {}");
    run("demo");
    Files.delete(project.resolve("core/src/main/java/Account.java"));
    run("demo");
    write(project.resolve("pom.xml"), "<project ></project>");
    run("demo");
    write(project.resolve("core/src/test/java/LedgerTest.java"), "class LedgerTest {}");
    run("demo");
    assertThat(mavenCalls()).hasSize(5);
  }

  @Test
  void showsWhyABuildFailedAndTriesAgain() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    Files.createFile(folder.resolve("broken"));
    Result failed = run("demo");
    assertThat(failed.status()).isEqualTo(70);
    assertThat(failed.err())
        .contains("[ERROR] Ledger.java:1")
        .last()
        .asString()
        .contains("target/build.log");
    Files.delete(folder.resolve("broken"));
    assertThat(run("demo").status()).isEqualTo(42);
  }

  @Test
  void twoStartsAtOnceBuildOnce() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    buildsOnceForThreeStarts();
  }

  @Test
  void twoStartsAtOnceBuildOnceWithoutFlock() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    environment.put("PARTITA_JAVA_HOME", jdks + "/jdk-25");
    environment.put(
        "PATH",
        tools
            + ":"
            + onlyCommands(
                "dirname",
                "basename",
                "bash",
                "find",
                "sort",
                "cksum",
                "cat",
                "mkdir",
                "rm",
                "date",
                "cp",
                "mv",
                "sleep",
                "pwd",
                "perl"));
    buildsOnceForThreeStarts();
  }

  @Test
  void keepsTheJarsOfARunningLedger() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    run("demo");
    Path builds = project.resolve(".partita/launcher/builds");
    Path inUse = onlyFolder(builds);
    Files.createFile(inUse.resolve("users/" + ProcessHandle.current().pid()));
    write(project.resolve("core/src/main/java/Ledger.java"), "class Ledger { }");
    run("demo");
    assertThat(inUse.resolve("partita-cli.jar")).exists();

    Files.delete(inUse.resolve("users/" + ProcessHandle.current().pid()));
    write(project.resolve("core/src/main/java/Ledger.java"), "class Ledger { int x; }");
    run("demo");
    assertThat(inUse).doesNotExist();
    onlyFolder(builds);
  }

  @Test
  void runsADistributionWithoutBuilding() throws Exception {
    jdk(jdks.resolve("jdk-25"), "25");
    Files.delete(project.resolve("pom.xml"));
    write(project.resolve("lib/partita-cli.jar"), "jar");
    Files.createSymbolicLink(tools.resolve("partita"), project.resolve("partita"));
    Result result = result(start(List.of(tools.resolve("partita").toString(), "demo")));
    assertThat(result.out()).contains("<" + project + "/lib/partita-cli.jar>", "<demo>");
    assertThat(mavenCalls).doesNotExist();
  }

  private void buildsOnceForThreeStarts() throws Exception {
    List<Process> starts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      starts.add(start(List.of(project.resolve("partita").toString(), "demo")));
    }
    for (Process start : starts) {
      assertThat(result(start).status()).isEqualTo(42);
    }
    assertThat(mavenCalls()).hasSize(1);
  }

  private List<String> mavenCalls() throws IOException {
    return Files.readAllLines(mavenCalls);
  }

  private static Path onlyFolder(Path parent) throws IOException {
    try (Stream<Path> folders = Files.list(parent)) {
      List<Path> found = folders.toList();
      assertThat(found).hasSize(1);
      return found.getFirst();
    }
  }

  /** Its java prints the folder it was started in and every argument, and ends with status 42. */
  private static void jdk(Path home, String version) throws IOException {
    write(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), "echo \"in $PWD\"", "printf '<%s>\\n' \"$@\"", "exit 42");
    script(home.resolve("bin/javac"), "exit 1");
  }

  /** A folder for the PATH that holds these commands of the machine and nothing else. */
  private String onlyCommands(String... names) throws IOException {
    Path commands = Files.createDirectories(folder.resolve("commands"));
    for (String name : names) {
      for (String place : List.of("/bin/", "/usr/bin/")) {
        if (Files.exists(Path.of(place + name)) && !Files.exists(commands.resolve(name))) {
          script(commands.resolve(name), "exec " + place + name + " \"$@\"");
        }
      }
    }
    return commands.toString();
  }

  private Result run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(project.resolve("partita").toString()));
    command.addAll(List.of(arguments));
    return result(start(command));
  }

  private Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("HOME", folder.toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static Result result(Process process) throws Exception {
    List<String> out = process.inputReader(UTF_8).lines().toList();
    List<String> err = process.errorReader(UTF_8).lines().toList();
    return new Result(process.waitFor(), out, err);
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void script(Path file, String... lines) throws IOException {
    write(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    executable(file);
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Result(int status, List<String> out, List<String> err) {}
}
