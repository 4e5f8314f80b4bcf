package dev.partita.testkit;

import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of operations and what each must answer.
 *
 * @param file the file it stands in
 * @param line where its title stands
 * @param title a sentence about behaviour
 * @param steps in order
 */
record Scenario(String file, int line, String title, List<Step> steps) {

  /** The files with scenarios for every engine, in the resources beside this class. */
  static final List<String> FILES =
      List.of("accounts", "groups", "holds", "limits", "order", "posting", "repeats", "reversals");

  /** A line of a table: where it stands, the operation, and what is expected of it. */
  record Line(String file, int number, String operation, String expected) {

    @Override
    public String toString() {
      return file + ".table:" + number + ": " + operation.strip() + " | " + expected;
    }

    int indent() {
      return operation.length() - operation.stripLeading().length();
    }
  }

  /** An operation and its lines: one, or several for a group or a request. */
  record Step(Operation operation, List<Line> lines) {}

  /** Reads a file of scenarios; what stands before the first title belongs to each. */
  static List<Scenario> read(String file) {
    String text;
    try (InputStream in = Scenario.class.getResourceAsStream(file + ".table")) {
      if (in == null) {
        throw new IllegalStateException("no scenarios in " + file + ".table");
      }
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Line> preamble = new ArrayList<>();
    List<Line> current = preamble;
    String title = "";
    int line = 0;
    List<Scenario> scenarios = new ArrayList<>();
    int number = 0;
    for (String raw : text.lines().toList()) {
      number++;
      if (raw.startsWith("== ")) {
        if (!title.isEmpty()) {
          scenarios.add(new Scenario(file, line, title, steps(current)));
        }
        title = raw.substring(3).strip();
        line = number;
        current = new ArrayList<>(preamble);
      } else if (!raw.isBlank() && !raw.stripLeading().startsWith("//")) {
        String[] halves = raw.split("\\|", 2);
        current.add(
            new Line(
                file,
                number,
                halves[0].stripTrailing(),
                halves.length < 2 ? "" : halves[1].strip()));
      }
    }
    scenarios.add(new Scenario(file, line, title, steps(current)));
    return scenarios;
  }

  private static List<Step> steps(List<Line> lines) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < lines.size(); ) {
      int end = i + 1;
      while (end < lines.size() && lines.get(end).indent() > 0) {
        end++;
      }
      steps.add(step(lines.subList(i, end)));
      i = end;
    }
    return steps;
  }

  private static Step step(List<Line> lines) {
    Line head = lines.getFirst();
    try {
      String operation = head.operation();
      if (operation.startsWith("group")) {
        List<PostItem> members = items(lines.subList(1, lines.size()));
        PostItem group = ScenarioText.group(operation, members);
        return new Step(
            new Operation.Post(PostRequest.of(group)), List.copyOf(lines.subList(1, lines.size())));
      }
      if (operation.equals("request")) {
        List<Line> rest = lines.subList(1, lines.size());
        List<Line> leaves =
            rest.stream().filter(line -> !line.operation().strip().startsWith("group")).toList();
        return new Step(new Operation.Post(new PostRequest(items(rest))), leaves);
      }
      if (lines.size() > 1) {
        throw new IllegalArgumentException("nothing may be indented below this line");
      }
      return new Step(ScenarioText.operation(operation), List.of(head));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(head + ": " + e.getMessage(), e);
    }
  }

  private static List<PostItem> items(List<Line> lines) {
    List<PostItem> items = new ArrayList<>();
    for (int i = 0; i < lines.size(); ) {
      String operation = lines.get(i).operation().strip();
      if (!operation.startsWith("group")) {
        items.add(ScenarioText.item(operation));
        i++;
        continue;
      }
      int end = i + 1;
      List<PostItem> members = new ArrayList<>();
      while (end < lines.size() && lines.get(end).indent() > lines.get(i).indent()) {
        members.add((TransferRequest) ScenarioText.item(lines.get(end).operation()));
        end++;
      }
      items.add(ScenarioText.group(operation, members));
      i = end;
    }
    return items;
  }
}
