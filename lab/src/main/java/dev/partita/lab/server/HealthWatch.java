package dev.partita.lab.server;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDatabase;
import dev.partita.lab.host.ControlGroup;
import dev.partita.lab.host.HostFacts;
import dev.partita.lab.host.Proc;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watches for what makes a run worthless: a restarted or crashed server, a full disk, processes
 * held back or killed for their limits. Connects at the beginning and at the end only. For one
 * thread.
 */
public final class HealthWatch {

  /** A server whose disk is fuller behaves unlike itself. */
  private static final double DISK_USED_SHARE_MAX = 0.9;

  private final Login login;
  private final @Nullable Path disk;
  private final @Nullable LogTail log;
  private final List<String> notes;
  private final String startedAt;
  private final Proc proc = new Proc();
  private final List<Long> watched = new ArrayList<>();
  private final List<ControlGroup> limits;

  private HealthWatch(Login login, @Nullable Path disk, @Nullable LogTail log, List<String> notes)
      throws SQLException {
    this.login = login;
    this.disk = disk;
    this.log = log;
    this.notes = notes;
    watched.add(ProcessHandle.current().pid());
    try (Connection connection = login.connect()) {
      startedAt = startedAt(connection);
      Long server = ServerProcess.of(CpuAccount.session(connection), proc).pid();
      if (server == null) {
        notes.add("limits of the server's processes not watched: they are not visible here");
      } else {
        watched.add(server);
      }
    }
    limits = limits();
  }

  /**
   * Begins to watch a database as far as it can be seen from here.
   *
   * @param expected parts of log lines that are no alarm, such as of sessions killed on purpose
   */
  public static HealthWatch start(ScratchDatabase database, List<String> expected)
      throws SQLException {
    Optional<EmbeddedPostgres> server = database.server();
    return start(
        database.owner(),
        server.map(EmbeddedPostgres::logFile).orElse(null),
        server.map(EmbeddedPostgres::directory).orElse(null),
        expected);
  }

  /**
   * Begins to watch.
   *
   * @param log the server's log, if it is here; plain lines in English
   * @param disk a directory on its file system, if that is here
   * @param expected parts of log lines that are no alarm
   */
  public static HealthWatch start(
      Login login, @Nullable Path log, @Nullable Path disk, List<String> expected)
      throws SQLException {
    List<String> notes = new ArrayList<>();
    LogTail tail = null;
    if (log == null) {
      notes.add("the server's log was not read: it is not known here");
    } else {
      try {
        tail = LogTail.from(log, expected);
      } catch (IOException e) {
        notes.add("the server's log was not read: " + e.getMessage());
      }
    }
    if (disk == null) {
      notes.add("the server's disk was not watched: it is not known here");
    }
    return new HealthWatch(login, disk, tail, notes);
  }

  /** Looks what has happened since the beginning. */
  public Health check() {
    List<String> findings = new ArrayList<>();
    List<String> remarks = new ArrayList<>(notes);
    server(findings);
    List<String> lines = log(findings, remarks);
    Double used = null;
    Double free = disk == null ? null : HostFacts.freeShare(disk);
    if (free != null) {
      used = 1 - free;
      if (used > DISK_USED_SHARE_MAX) {
        findings.add("the server's disk is " + Math.round(used * 100) + " % full");
      }
    }
    List<ControlGroup> now = limits();
    Long throttled = grown(now, ControlGroup::throttledPeriods);
    Long killed = grown(now, ControlGroup::oomKills);
    if (throttled == null) {
      remarks.add("throttling not watched: no control group counts it here");
    } else if (throttled > 0) {
      findings.add("CPU time was withheld by a limit in " + throttled + " periods");
    }
    if (killed == null) {
      remarks.add("kills for want of memory not watched: no control group counts them here");
    } else if (killed > 0) {
      findings.add(killed + " processes were killed for want of memory");
    }
    return new Health(findings, lines, used, throttled, killed, remarks);
  }

  private void server(List<String> findings) {
    try (Connection connection = login.connect()) {
      String now = startedAt(connection);
      if (!now.equals(startedAt)) {
        findings.add("the server was restarted at " + now);
      }
    } catch (SQLException e) {
      findings.add("the server does not answer: " + Monitor.reason(e));
    }
  }

  private List<String> log(List<String> findings, List<String> remarks) {
    if (log == null) {
      return List.of();
    }
    try {
      List<String> lines = log.alarming();
      if (!lines.isEmpty()) {
        boolean more = lines.size() > LogTail.LINES_MAX;
        lines = lines.subList(0, Math.min(lines.size(), LogTail.LINES_MAX));
        findings.add(
            (more ? "more than " : "")
                + lines.size()
                + " alarming lines in the server's log, first: "
                + lines.getFirst());
      }
      return lines;
    } catch (IOException e) {
      remarks.add("the server's log was not read: " + e.getMessage());
      return List.of();
    }
  }

  private List<ControlGroup> limits() {
    return watched.stream().map(pid -> ControlGroup.of(proc, pid)).toList();
  }

  /** The larger of both processes' growth: they may share a group. */
  private @Nullable Long grown(
      List<ControlGroup> now, Function<ControlGroup, @Nullable Long> counter) {
    Long most = null;
    for (int i = 0; i < now.size(); i++) {
      Long before = counter.apply(limits.get(i));
      Long after = counter.apply(now.get(i));
      if (before != null && after != null) {
        most = Math.max(most == null ? 0 : most, after - before);
      }
    }
    return most;
  }

  private static String startedAt(Connection connection) throws SQLException {
    Map<String, Object> row =
        Monitor.row(connection, "SELECT pg_catalog.pg_postmaster_start_time()::text AS started");
    return Objects.requireNonNullElse(Monitor.text(row, "started"), "");
  }
}
