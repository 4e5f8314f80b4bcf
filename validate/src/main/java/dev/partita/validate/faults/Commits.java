package dev.partita.validate.faults;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the COMMITs in what a client of PostgreSQL sends. A statement is parsed once and executed
 * often, by its name alone, so this remembers which names mean a COMMIT. For one connection and one
 * thread.
 */
final class Commits {

  private static final String COMMIT = "COMMIT";

  private final Set<String> statements = new HashSet<>();
  private final Set<String> portals = new HashSet<>();

  /**
   * Takes in a message.
   *
   * @param type its first byte
   * @param body what follows its length
   * @return whether it makes the server commit
   */
  boolean take(int type, byte[] body) {
    switch (type) {
      case 'P' -> {
        String name = text(body, 0);
        remember(statements, name, isCommit(text(body, after(body, 0))));
      }
      case 'B' -> {
        String portal = text(body, 0);
        remember(portals, portal, statements.contains(text(body, after(body, 0))));
      }
      case 'C' -> (body[0] == 'S' ? statements : portals).remove(text(body, 1));
      case 'E' -> {
        return portals.contains(text(body, 0));
      }
      case 'Q' -> {
        return isCommit(text(body, 0));
      }
      default -> {}
    }
    return false;
  }

  private static void remember(Set<String> names, String name, boolean isCommit) {
    if (isCommit) {
      names.add(name);
    } else {
      names.remove(name);
    }
  }

  /** Whether the last of the statements in a text is a COMMIT. */
  private static boolean isCommit(String text) {
    String bare = text.strip();
    if (bare.endsWith(";")) {
      bare = bare.substring(0, bare.length() - 1).stripTrailing();
    }
    int start = bare.length() - COMMIT.length();
    return start >= 0
        && bare.substring(start).toUpperCase(Locale.ROOT).equals(COMMIT)
        && (start == 0 || bare.charAt(start - 1) == ';' || bare.charAt(start - 1) <= ' ');
  }

  private static String text(byte[] body, int from) {
    return new String(body, from, after(body, from) - 1 - from, StandardCharsets.UTF_8);
  }

  /** Where the text that begins at {@code from} is over, its final zero included. */
  private static int after(byte[] body, int from) {
    int end = from;
    while (body[end] != 0) {
      end++;
    }
    return end + 1;
  }
}
