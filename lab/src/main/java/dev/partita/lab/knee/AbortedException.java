package dev.partita.lab.knee;

import java.io.Serial;

/** Client or host were not fit to measure, again and again: the search ends where it is. */
final class AbortedException extends Exception {

  @Serial private static final long serialVersionUID = 1;

  AbortedException(String reason) {
    super(reason);
  }
}
