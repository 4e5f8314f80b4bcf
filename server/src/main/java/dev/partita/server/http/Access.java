package dev.partita.server.http;

import dev.partita.server.auth.Scope;
import org.jspecify.annotations.Nullable;

/** Who may call a route where keys are needed. */
public enum Access {
  /** Whoever can reach the server. */
  OPEN(null),
  /** Keys that may read. */
  READ(Scope.READ),
  /** Keys that may post. */
  POST(Scope.POST),
  /** Keys that may administer. */
  ADMIN(Scope.ADMIN);

  private final @Nullable Scope scope;

  Access(@Nullable Scope scope) {
    this.scope = scope;
  }

  /** The scope that a key needs; null if none is. */
  public @Nullable Scope scope() {
    return scope;
  }
}
