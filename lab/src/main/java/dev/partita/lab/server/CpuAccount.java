package dev.partita.lab.server;

import com.sun.management.OperatingSystemMXBean;
import dev.partita.lab.host.HostReading;
import dev.partita.lab.host.Proc;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads how much CPU time this JVM, the server's processes and the whole machine have used. For the
 * thread of the account it comes from.
 */
public final class CpuAccount {

  private static final String SESSION =
      """
      SELECT pg_catalog.pg_backend_pid() AS pid, pg_catalog.host(pg_catalog.inet_server_addr())
               AS address,
             pg_catalog.inet_client_port() AS port,
             pg_catalog.current_setting('cluster_name') AS "clusterName"
      """;

  /** The name is shown to every role. */
  private static final String MONITORS =
      "SELECT pid FROM pg_catalog.pg_stat_activity WHERE application_name = ?";

  /** Processes that come and go while they are being read: read again, at most so often. */
  private static final int ATTEMPTS_MAX = 5;

  private final Monitor monitor;
  private final ServerProcess server;
  private final Proc proc;

  private CpuAccount(Monitor monitor, ServerProcess server, Proc proc) {
    this.monitor = monitor;
    this.server = server;
    this.proc = proc;
  }

  static CpuAccount of(Monitor monitor) throws SQLException {
    Proc proc = new Proc();
    return new CpuAccount(monitor, ServerProcess.of(monitor.ask(CpuAccount::session), proc), proc);
  }

  static ServerProcess.Session session(Connection open) throws SQLException {
    Map<String, Object> row = Monitor.row(open, SESSION);
    return new ServerProcess.Session(
        Objects.requireNonNullElse(Monitor.number(row, "pid"), 0L),
        Monitor.text(row, "address"),
        Monitor.number(row, "port"),
        Objects.requireNonNullElse(Monitor.text(row, "clusterName"), ""));
  }

  /** The server's main process, if it is on this machine and can be looked at. */
  public Optional<Long> serverPid() {
    return Optional.ofNullable(server.pid());
  }

  /**
   * All CPU time so far, at one moment.
   *
   * @param atNanos when, on the clock of {@link System#nanoTime()}
   * @param clientNanos of this JVM, its garbage collector and compiler included; null if unknown
   * @param server of the server's processes; null if not readable
   * @param host of the machine
   * @param reason why the server's is not readable; null if it is
   */
  public record Reading(
      long atNanos,
      @Nullable Long clientNanos,
      @Nullable Server server,
      HostReading host,
      @Nullable String reason) {}

  /**
   * Of the server's processes, in ticks of 10 ms.
   *
   * @param mainTicks of its main process alone
   * @param endedTicks of all its children that have ended
   * @param living its children, by number and start
   */
  public record Server(long mainTicks, long endedTicks, Map<String, Living> living) {

    /** Takes a copy. */
    public Server {
      living = Map.copyOf(living);
    }
  }

  /**
   * A process that lives.
   *
   * @param role what it is for
   * @param ticks CPU time so far
   */
  public record Living(String role, long ticks) {}

  /** Reads now. */
  public Reading read() throws SQLException {
    Optional<Server> ticks = server.pid() == null ? Optional.empty() : server(server.pid());
    String reason = server.reason();
    if (ticks.isEmpty() && reason == null) {
      reason = "the server's main process has ended";
    }
    return new Reading(
        System.nanoTime(), clientNanos(), ticks.orElse(null), HostReading.now(proc), reason);
  }

  private static @Nullable Long clientNanos() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      long nanos = system.getProcessCpuTime();
      return nanos < 0 ? null : (Long) nanos;
    }
    return null;
  }

  private Optional<Server> server(long pid) throws SQLException {
    Set<Long> monitors = monitor.ask(CpuAccount::monitors);
    Optional<Server> last = Optional.empty();
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      Optional<Proc.Entry> before = main(pid);
      List<Proc.Entry> children = proc.children(pid);
      Optional<Proc.Entry> after = main(pid);
      if (before.isEmpty() || after.isEmpty()) {
        return Optional.empty();
      }
      Map<String, Living> living = new HashMap<>();
      for (Proc.Entry each : children) {
        String role = monitors.contains(each.pid()) ? Role.MONITORING : role(each);
        living.put(each.pid() + "@" + each.startTicks(), new Living(role, each.ticks()));
      }
      last = Optional.of(new Server(after.get().ticks(), after.get().reapedTicks(), living));
      // Otherwise one that ended in between is in both figures, or in neither.
      if (before.get().reapedTicks() == after.get().reapedTicks()) {
        return last;
      }
    }
    return last;
  }

  private Optional<Proc.Entry> main(long pid) {
    return proc.process(pid).filter(process -> process.startTicks() == server.startTicks());
  }

  private String role(Proc.Entry process) {
    return Role.of(proc.title(process.pid()), server.clusterName());
  }

  private static Set<Long> monitors(Connection open) throws SQLException {
    Set<Long> pids = new HashSet<>();
    try (PreparedStatement query = open.prepareStatement(MONITORS)) {
      query.setString(1, Monitor.APPLICATION);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          pids.add(rows.getLong(1));
        }
      }
    }
    return pids;
  }

  /** What a server process is for, as its title says. */
  static final class Role {

    static final String BACKENDS = "backends";
    static final String MONITORING = "monitoring";
    static final String MAIN = "postmaster";

    private static final String TITLE = "postgres: ";
    private static final List<String> OTHERS =
        List.of(
            "checkpointer",
            "background writer",
            "walwriter",
            "io worker",
            "autovacuum launcher",
            "autovacuum worker",
            "archiver",
            "logger",
            "startup",
            "walsender",
            "walreceiver",
            "walsummarizer",
            "slotsync worker",
            "logical replication launcher");

    private Role() {}

    /** One that has not set its title yet has just been made, for a client. */
    static String of(String title, String clusterName) {
      String text = title.startsWith(TITLE) ? title.substring(TITLE.length()) : "";
      String prefix = clusterName + ": ";
      if (!clusterName.isEmpty() && text.startsWith(prefix)) {
        text = text.substring(prefix.length());
      }
      String rest = text;
      return OTHERS.stream().filter(rest::startsWith).findFirst().orElse(BACKENDS);
    }
  }
}
