package dev.partita.validate;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a suite may make its database. */
public sealed interface Place {

  /**
   * Embedded servers, each in a new directory below this one.
   *
   * @param parent made if it is not there
   */
  record Embedded(Path parent) implements Place {}

  /**
   * A schema of its own in a database that is there already.
   *
   * @param url JDBC URL, also one of several hosts
   * @param user who may create schemas there, or null where the URL says it
   * @param password theirs, or null
   */
  record Given(String url, @Nullable String user, @Nullable String password) implements Place {
    @Override
    public String toString() {
      return "a given database";
    }
  }
}
