package dev.partita.server.api;

import dev.partita.ChangeRequest;
import dev.partita.MisuseException;
import org.jspecify.annotations.Nullable;

/**
 * Who is recorded as having made a change. Where keys are in use it is the key that was presented,
 * whatever the request says; what it says stands behind, as {@code KEY/ACTOR}: a service names its
 * own users, and nobody can name another key.
 */
final class Actors {

  private static final int ACTOR_MAX = 128;

  private Actors() {}

  static ChangeRequest named(ChangeRequest change, @Nullable String keyName) {
    if (keyName == null) {
      return change;
    }
    String given = change.actor();
    if (given == null) {
      return change.actor(keyName);
    }
    String actor = keyName + "/" + given;
    if (actor.codePointCount(0, actor.length()) > ACTOR_MAX) {
      throw new MisuseException(
          "actor",
          "is recorded behind the name of the API key and a slash, and has room for "
              + (ACTOR_MAX - keyName.length() - 1)
              + " characters with this key");
    }
    return change.actor(actor);
  }
}
