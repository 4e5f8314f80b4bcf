package dev.partita.lab.knee;

/** What a probe was made for. */
public enum Stage {
  /** To find one rate that passes and one that fails. */
  BRACKET,
  /** To bring the two closer together. */
  BISECT,
  /** To see whether both hold when repeated. */
  CONFIRM,
  /** To see whether the target comes back after too much. */
  RECOVER
}
