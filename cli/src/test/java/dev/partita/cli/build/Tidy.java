package dev.partita.cli.build;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rules about the source tree that no compiler checks. Each answers with one line per offence. A
 * line that has to break a line rule says why on the spot, after the words {@code tidy:}.
 */
final class Tidy {
  static final int JAVA_LINES_MAX = 599;

  private static final Pattern LEFTOVER =
      Pattern.compile("\\b(?:FIXME|TODO|HACK)\\b"); // tidy: the rule itself

  // In praise, or with a plainer word at hand.
  private static final Pattern BANNED_WORD =
      Pattern.compile(
          "\\b(?:blacklist|whitelist|sanity check" // tidy: the rule itself
              + "|blazing|seamless(?:ly)?|effortless(?:ly)?" // tidy: the rule itself
              + "|cutting-edge|world-class|revolutionary" // tidy: the rule itself
              + "|state of the art|leverag(?:e[sd]?|ing)|utili[sz](?:e[sd]?|ing))\\b", // tidy: the
          // rule
          // itself
          Pattern.CASE_INSENSITIVE);
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w/.$}~-])/(?:work|root|Users/\\w+|home/\\w+)(?![\\w-])");
  private static final Pattern REGISTRY =
      Pattern.compile(
          "repo1?\\.maven\\.|central\\.sonatype|oss\\.sonatype" // tidy: the rule itself
              + "|registry\\.npmjs|deb\\.debian\\.org|jitpack\\.io"
              + "|pypi\\.org");
  private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sleep\\(");
  private static final Pattern SUPPRESSION = Pattern.compile("@SuppressWarnings\\(|@Disabled\\s*$");
  private static final Pattern MIGRATION = Pattern.compile("V(\\d+)__\\w+\\.sql");

  private final SourceTree tree;

  Tidy(SourceTree tree) {
    this.tree = tree;
  }

  List<String> longFiles() {
    return tree.withExtension("java")
        .filter(file -> SourceTree.lines(file).size() > JAVA_LINES_MAX)
        .map(file -> tree.name(file) + ": longer than " + JAVA_LINES_MAX + " lines")
        .toList();
  }

  List<String> leftovers() {
    return lines(tree.texts(), LEFTOVER.asPredicate(), "do it, or open an issue");
  }

  List<String> bannedWords() {
    return lines(tree.texts(), BANNED_WORD.asPredicate(), "say it plainly");
  }

  List<String> machinePaths() {
    return lines(tree.texts(), MACHINE_PATH.asPredicate(), "exists on one machine only");
  }

  List<String> registryHosts() {
    return lines(tree.texts(), REGISTRY.asPredicate(), "the user's settings name the registry");
  }

  List<String> sleepingTests() {
    return lines(
        tree.withExtension("java").filter(file -> tree.name(file).contains("src/test/")),
        SLEEP.asPredicate(),
        "wait for a condition, with a deadline");
  }

  /** A reason stands in a comment right above or inside the annotation, or behind it. */
  List<String> suppressionsWithoutReason() {
    List<String> offences = new ArrayList<>();
    tree.withExtension("java")
        .forEach(
            file -> {
              List<String> lines = SourceTree.lines(file);
              for (int i = 0; i < lines.size(); i++) {
                if (SUPPRESSION.matcher(lines.get(i)).find() && !isExplained(lines, i)) {
                  offences.add(
                      tree.name(file)
                          + ":"
                          + (i + 1)
                          + ": give the reason: "
                          + lines.get(i).strip());
                }
              }
            });
    return offences;
  }

  private static boolean isExplained(List<String> lines, int first) {
    if (first > 0 && lines.get(first - 1).strip().startsWith("//")) {
      return true;
    }
    for (int i = first; i < lines.size(); i++) {
      if (lines.get(i).contains("//")) {
        return true;
      }
      if (lines.get(i).contains(")") || !lines.get(first).contains("(")) {
        return false;
      }
    }
    return false;
  }

  List<String> modulesWithoutReadme() {
    return tree.files().stream()
        .filter(file -> file.getFileName().toString().equals("pom.xml"))
        .map(Path::getParent)
        .filter(module -> !Files.exists(module.resolve("README.md")))
        .map(module -> tree.name(module) + "/: no README.md")
        .toList();
  }

  /** Per folder: V1, V2, V3 … without gap or repetition, leading zeros allowed. */
  List<String> migrationGaps() {
    List<String> offences = new ArrayList<>();
    TreeMap<Path, List<Integer>> numbers = new TreeMap<>();
    tree.withExtension("sql")
        .filter(file -> tree.name(file).contains("src/main/resources/"))
        .filter(file -> file.getFileName().toString().startsWith("V"))
        .forEach(
            file -> {
              Matcher name = MIGRATION.matcher(file.getFileName().toString());
              if (name.matches()) {
                numbers
                    .computeIfAbsent(file.getParent(), folder -> new ArrayList<>())
                    .add(Integer.parseInt(name.group(1)));
              } else {
                offences.add(tree.name(file) + ": not named V<number>__<words>.sql");
              }
            });
    numbers.forEach(
        (folder, found) -> {
          List<Integer> sorted = found.stream().sorted().toList();
          if (!sorted.equals(IntStream.rangeClosed(1, sorted.size()).boxed().toList())) {
            offences.add(tree.name(folder) + ": migration numbers are " + sorted);
          }
        });
    return offences;
  }

  List<String> brokenLinks() {
    return tree.withExtension("md")
        .flatMap(file -> new Markdown(file).brokenLinks().stream().map(tree.name(file)::concat))
        .toList();
  }

  private List<String> lines(Stream<Path> files, Predicate<String> offends, String advice) {
    List<String> offences = new ArrayList<>();
    files
        .filter(file -> !file.getFileName().toString().equals("LICENSE"))
        .forEach(
            file -> {
              int number = 0;
              for (String line : SourceTree.lines(file)) {
                number++;
                if (offends.test(line) && !line.contains("tidy:")) {
                  offences.add(
                      tree.name(file) + ":" + number + ": " + advice + ": " + line.strip());
                }
              }
            });
    return offences;
  }
}
