package dev.partita.lab.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the server did between two snapshots. A figure that was not measured is null and a note says
 * why; null is never zero.
 *
 * @param wal what it logged; of the whole server
 * @param transactions of the database
 * @param sessions of the database
 * @param checkpoints of the whole server
 * @param rows in the tables of one schema
 * @param databaseGrowthBytes how much longer the database's files became, dead rows and everything
 *     else in it included
 * @param notes what a reader has to know
 */
public record ServerUse(
    Wal wal,
    Transactions transactions,
    Sessions sessions,
    Checkpoints checkpoints,
    Rows rows,
    @Nullable Long databaseGrowthBytes,
    List<String> notes) {

  /** Takes a copy. */
  public ServerUse {
    notes = List.copyOf(notes);
  }

  /**
   * The write-ahead log.
   *
   * @param bytes of records
   * @param records how many
   * @param fullPages images of whole pages among them, taken at the first change after a checkpoint
   * @param writes how often it was written to the file
   * @param syncs how often the file was made durable
   * @param writtenBytes what was written to the file, half-full pages again and again; from 18 on
   * @param bytesPerSync bytes of records made durable at once
   */
  public record Wal(
      @Nullable Long bytes,
      @Nullable Long records,
      @Nullable Long fullPages,
      @Nullable Long writes,
      @Nullable Long syncs,
      @Nullable Long writtenBytes,
      @Nullable Double bytesPerSync) {}

  /**
   * Transactions of the database, without those of the lab's monitors.
   *
   * @param commits also those that only read, what autovacuum did, and a few for each new session:
   *     two with the PostgreSQL driver for Java
   * @param rollbacks also those that the lab did not ask for
   * @param deadlocks that the server broke up
   * @param commitsPerSync how many commits share one sync of the log: the group-commit factor
   */
  public record Transactions(
      @Nullable Long commits,
      @Nullable Long rollbacks,
      @Nullable Long deadlocks,
      @Nullable Double commitsPerSync) {}

  /**
   * Sessions, without those of the lab's monitors.
   *
   * @param opened new ones
   * @param abandoned ended because the client was gone
   * @param fatal ended by an error of the server
   * @param killed ended by an administrator
   */
  public record Sessions(
      @Nullable Long opened,
      @Nullable Long abandoned,
      @Nullable Long fatal,
      @Nullable Long killed) {}

  /**
   * Checkpoints.
   *
   * @param timed begun because it was time; before 18 also those that found nothing to do
   * @param requested begun because of much log, or on request
   * @param done completed; from 18 on
   */
  public record Checkpoints(@Nullable Long timed, @Nullable Long requested, @Nullable Long done) {}

  /**
   * Row versions in the tables of the schema.
   *
   * @param inserted new ones
   * @param updated old ones replaced
   * @param hotUpdated of these, without a new entry in any index
   * @param deleted removed
   * @param hotShare of the updates, 0 to 1; null without updates
   * @param deadAtEnd there and of no use, as the server estimates, at the second snapshot
   * @param autovacuums of these tables
   */
  public record Rows(
      @Nullable Long inserted,
      @Nullable Long updated,
      @Nullable Long hotUpdated,
      @Nullable Long deleted,
      @Nullable Double hotShare,
      @Nullable Long deadAtEnd,
      @Nullable Long autovacuums) {}

  /** What happened between two snapshots of one {@link ServerAccount}. */
  public static ServerUse between(ServerSnapshot before, ServerSnapshot after) {
    return new Difference(before, after).use();
  }

  private static final class Difference {
    private final ServerSnapshot before;
    private final ServerSnapshot after;
    private final boolean restarted;
    private final Map<String, String> notes = new LinkedHashMap<>();

    Difference(ServerSnapshot before, ServerSnapshot after) {
      this.before = before;
      this.after = after;
      restarted = !before.serverStartedAt().equals(after.serverStartedAt());
      before.notes().forEach(note -> notes.put(note, note));
      after.notes().forEach(note -> notes.put(note, note));
    }

    ServerUse use() {
      if (restarted) {
        note("the server was restarted: its counters do not span that");
      }
      Wal wal = wal();
      Transactions transactions = transactions(wal.syncs());
      return new ServerUse(
          wal,
          transactions,
          new Sessions(
              grown(Catalogue.DATABASE, "sessions"),
              grown(Catalogue.DATABASE, "abandoned"),
              grown(Catalogue.DATABASE, "fatal"),
              grown(Catalogue.DATABASE, "killed")),
          new Checkpoints(
              grown(Catalogue.CHECKPOINTS, "timed"),
              grown(Catalogue.CHECKPOINTS, "requested"),
              grown(Catalogue.CHECKPOINTS, "done")),
          rows(),
          minus(value(after, "size.bytes"), value(before, "size.bytes")),
          new ArrayList<>(notes.values()));
    }

    private Wal wal() {
      Long bytes = grown(Catalogue.WAL, "bytes");
      if (bytes == null && !restarted) {
        bytes = minus(value(after, "lsn.position"), value(before, "lsn.position"));
        note("WAL bytes are the distance between two positions, page headers included");
      }
      boolean counted = before.walSyncMethod() != null && after.walSyncMethod() != null;
      if (!counted) {
        note(
            "WAL syncs not measured: with this wal_sync_method, or without fsync, none are counted");
      }
      Long syncs = counted ? grown(Catalogue.WAL_SYNC, "syncs") : null;
      return new Wal(
          bytes,
          grown(Catalogue.WAL, "records"),
          grown(Catalogue.WAL, "fullPages"),
          grown(Catalogue.WAL_SYNC, "writes"),
          syncs,
          grown(Catalogue.WAL_SYNC, "writtenBytes"),
          ratio(bytes, syncs));
    }

    private Transactions transactions(@Nullable Long syncs) {
      Long commits =
          minus(
              grown(Catalogue.DATABASE, "commits"),
              (Long) (after.ownCommits() - before.ownCommits()));
      Long others = grown(Catalogue.OTHERS, "commits");
      if (others != null && commits != null && others * 100 > commits) {
        note(
            others
                + " commits of other databases share WAL and syncs with the "
                + commits
                + " of this one");
      }
      return new Transactions(
          commits,
          grown(Catalogue.DATABASE, "rollbacks"),
          grown(Catalogue.DATABASE, "deadlocks"),
          ratio(commits, syncs));
    }

    private Rows rows() {
      Long updated = grown(Catalogue.TABLES, "updated");
      Long hot = grown(Catalogue.TABLES, "hotUpdated");
      return new Rows(
          grown(Catalogue.TABLES, "inserted"),
          updated,
          hot,
          grown(Catalogue.TABLES, "deleted"),
          ratio(hot, updated),
          value(after, "tables.dead"),
          grown(Catalogue.TABLES, "autovacuums"));
    }

    /** Null if the counter is not there, or began anew in between. */
    private @Nullable Long grown(String subject, String counter) {
      if (restarted) {
        return null;
      }
      if (!Objects.equals(before.resets().get(subject), after.resets().get(subject))) {
        note(subject + " not measured: its counters were reset meanwhile");
        return null;
      }
      String name = subject + "." + counter;
      Long grown = minus(value(after, name), value(before, name));
      if (grown != null && grown < 0) {
        note(name + " not measured: it shrank, so something it counts was dropped or reset");
        return null;
      }
      return grown;
    }

    private void note(String note) {
      notes.put(note, note);
    }

    private static @Nullable Long value(ServerSnapshot snapshot, String name) {
      return snapshot.counters().get(name);
    }

    private static @Nullable Long minus(@Nullable Long a, @Nullable Long b) {
      return a == null || b == null ? null : (Long) (a - b);
    }

    private static @Nullable Double ratio(@Nullable Long of, @Nullable Long to) {
      return of == null || to == null || to == 0 ? null : (Double) ((double) of / to);
    }
  }
}
