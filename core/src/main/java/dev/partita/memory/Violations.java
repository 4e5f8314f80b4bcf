package dev.partita.memory;

import dev.partita.VerifyReport;
import dev.partita.VerifyReport.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects what a verification finds broken, as much as a report holds. */
final class Violations {

  private final List<Violation> found = new ArrayList<>();

  void add(int invariant, String subject, String detail) {
    if (found.size() < VerifyReport.VIOLATIONS_MAX) {
      found.add(new Violation(invariant, subject, detail));
    }
  }

  void requireEqual(
      int invariant,
      String subject,
      String what,
      @Nullable Object shown,
      @Nullable Object expected) {
    if (!Objects.equals(shown, expected)) {
      add(invariant, subject, what + " is " + shown + " instead of " + expected);
    }
  }

  List<Violation> found() {
    return List.copyOf(found);
  }
}
