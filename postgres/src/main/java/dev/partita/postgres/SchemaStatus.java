package dev.partita.postgres;

import java.util.List;
import java.util.Objects;

/**
 * How a ledger's schema stands to this version of Partita.
 *
 * @param schema its name
 * @param state what that means
 * @param version the number of the last migration applied, 0 if the schema is missing
 * @param latest the number of the last migration this version of Partita knows
 * @param pending the files that {@code migrate} would apply
 */
public record SchemaStatus(
    String schema, State state, int version, int latest, List<String> pending) {

  /** What to do, if anything. */
  public enum State {
    /** There is no ledger in that schema: migrate. */
    MISSING,
    /** Older than this version of Partita: migrate. */
    BEHIND,
    /** Just right. */
    CURRENT,
    /** Newer, made so that this version still works on it. */
    AHEAD,
    /** Newer in a way that this version does not understand: upgrade Partita. */
    TOO_NEW,
    /** The role that asks may not use the schema: grant it. */
    FORBIDDEN
  }

  /** Takes a copy. */
  public SchemaStatus {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(state, "state");
    pending = List.copyOf(pending);
  }

  /** Whether a ledger can run on it. */
  public boolean usable() {
    return state == State.CURRENT || state == State.AHEAD;
  }

  /** In words, with what to do. */
  public String describe() {
    return switch (state) {
      case MISSING ->
          "there is no ledger in schema "
              + schema
              + " of this database; make it with PostgresSchema.migrate() or `partita schema migrate`,"
              + " or name the right schema";
      case BEHIND ->
          "schema "
              + schema
              + " is at version "
              + version
              + ", this Partita needs "
              + latest
              + "; run PostgresSchema.migrate() or `partita schema migrate` as its owner";
      case CURRENT -> "schema " + schema + " is at version " + version + ", the latest";
      case AHEAD ->
          "schema "
              + schema
              + " is at version "
              + version
              + ", newer than "
              + latest
              + " and usable";
      case TOO_NEW ->
          "schema "
              + schema
              + " is at version "
              + version
              + ", which this Partita (it knows "
              + latest
              + ") does not understand; upgrade this application";
      case FORBIDDEN ->
          "this role may not use schema "
              + schema
              + "; let its owner run PostgresSchema.grant(role) or `partita schema grants --role`";
    };
  }
}
