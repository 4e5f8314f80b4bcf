package dev.partita.server.health;

import java.util.Objects;

/**
 * What keeps a server from its work.
 *
 * @param cause a stable word to match on, such as {@code database_unavailable}
 * @param sentence for whoever asks: says nothing about the inside
 * @param inside for the log: may name hosts and roles; empty if there is no more to say
 */
public record Trouble(String cause, String sentence, String inside) {

  /** Checks presence. */
  public Trouble {
    Objects.requireNonNull(cause, "cause");
    Objects.requireNonNull(sentence, "sentence");
    Objects.requireNonNull(inside, "inside");
  }

  /** With nothing more for the log. */
  public Trouble(String cause, String sentence) {
    this(cause, sentence, "");
  }
}
