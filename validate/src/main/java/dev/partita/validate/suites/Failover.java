package dev.partita.validate.suites;

/** What becomes of the primary before a standby takes its place. */
enum Failover {
  /** All of its processes end at once. */
  KILLED("primary killed"),
  /** It halts, and is killed before a standby is promoted. */
  PAUSED("primary paused, then killed"),
  /** It halts, a standby is promoted, and only then it goes on: alone. Killed in the end. */
  RESUMED("primary paused, replaced, resumed"),
  /** It loses its standbys and its sessions, answers nobody, and is killed. */
  CUT_OFF("primary cut off, then killed");

  private final String text;

  Failover(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
