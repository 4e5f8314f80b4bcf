package dev.partita.cli;

/** What a command's exit code says. Stable: scripts branch on them. */
enum ExitCode {
  /** Done, or it was so already. */
  OK(0, "done; repeating an equal request is also 0"),
  /** The ledger refused something. */
  REFUSED(
      1, "refused: a transfer, change or opening was refused, or rows of an import were not taken"),
  /** The command was not understood. */
  MISUSE(2, "misuse: wrong arguments, malformed input, unknown account; nothing was done"),
  /** The ledger could not answer. */
  UNAVAILABLE(3, "unavailable: no answer now and nothing was posted; repeat later"),
  /** Stored data contradicts itself. */
  VIOLATIONS(
      4, "violations: verify, demo or a check found stored data that is wrong; stop and look"),
  /** Nobody knows. */
  UNKNOWN_OUTCOME(5, "outcome unknown: it may have been posted; repeat with the same id to learn"),
  /** A validation that shows nothing. */
  INCONCLUSIVE(6, "inconclusive: a validation or a run of the lab does not show what it should"),
  /** A fault of this program. */
  INTERNAL(70, "internal error: a fault of this program"),
  /** Done, but nobody was told. */
  ANSWER_LOST(
      74, "answer lost: it was done, but standard output could not be written; repeat it to learn"),
  /** Ctrl-C. */
  INTERRUPTED(130, "interrupted"),
  /** As if SIGPIPE had ended the process, which Java ignores. */
  READER_GONE(141, "whoever read standard output has gone, such as head; it was done");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  int number() {
    return number;
  }

  String meaning() {
    return meaning;
  }
}
