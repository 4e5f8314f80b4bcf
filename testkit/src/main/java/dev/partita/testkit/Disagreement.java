package dev.partita.testkit;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An engine answered something else than the {@link Auditor} expects. */
final class Disagreement extends AssertionError {

  private static final long serialVersionUID = 1;

  private Disagreement(String what, @Nullable Object expected, @Nullable Object found) {
    super(
        what
            + " differs:\n"
            + String.join("\n", differences("", expected, found))
            + "\n  in all, expected: "
            + expected
            + "\n           but was: "
            + found);
  }

  Disagreement(String what, Throwable cause) {
    super(what + " threw " + cause, cause);
  }

  static void unlessEqual(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new Disagreement(what, expected, found);
    }
  }

  /** The innermost parts of two values that differ, each on a line. */
  private static List<String> differences(
      String path, @Nullable Object expected, @Nullable Object found) {
    List<String> lines = new ArrayList<>();
    if (Objects.equals(expected, found)) {
      return lines;
    }
    if (expected != null
        && found != null
        && expected.getClass() == found.getClass()
        && expected.getClass().getRecordComponents() != null
        && expected.getClass().getRecordComponents().length > 2) {
      for (RecordComponent part : expected.getClass().getRecordComponents()) {
        lines.addAll(differences(path + "." + part.getName(), of(part, expected), of(part, found)));
      }
      return lines;
    }
    String name = path.isEmpty() ? "it" : path.substring(1);
    lines.add("  " + name + ": expected " + expected + " but was " + found);
    return lines;
  }

  private static @Nullable Object of(RecordComponent part, Object whole) {
    try {
      return part.getAccessor().invoke(whole);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + part, e);
    }
  }
}
