package dev.partita.lab.server;

import dev.partita.lab.host.Proc;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server's main process on this machine, or why it cannot be known.
 *
 * @param pid of the main process, whose children are all others; null if it is not known
 * @param startTicks when it was started; with the number it names one process for good
 * @param clusterName that stands in the titles of all, or empty
 * @param reason why it is not known; null if it is
 */
record ServerProcess(
    @Nullable Long pid, long startTicks, String clusterName, @Nullable String reason) {

  /** As the program is called by various packages. */
  private static final Set<String> PROGRAMS = Set.of("postgres", "postmaster");

  /**
   * What a session says about itself.
   *
   * @param pid of its process, in the server's own numbering
   * @param serverAddress that the client connected to; null for a Unix socket
   * @param clientPort of the other end; null for a Unix socket
   * @param clusterName as set, or empty
   */
  record Session(
      long pid, @Nullable String serverAddress, @Nullable Long clientPort, String clusterName) {}

  /**
   * Finds it as the parent of a session's process. A number alone proves nothing: the server may be
   * at the other end of a tunnel or in a container with numbers of its own. So the process must be
   * PostgreSQL's, and its title must name our end of this very connection.
   */
  static ServerProcess of(Session session, Proc proc) {
    if (!proc.isThere()) {
      return unknown("this system has no /proc, or it is closed");
    }
    if (!isLocal(session.serverAddress())) {
      return unknown("the server is on another machine, or behind one: " + session.serverAddress());
    }
    Optional<Proc.Entry> own = proc.process(session.pid()).filter(ServerProcess::isPostgres);
    String end = session.clientPort() == null ? "[local]" : "(" + session.clientPort() + ")";
    if (own.isEmpty() || !proc.title(session.pid()).contains(end)) {
      return unknown(
          "no process here is our session " + session.pid() + ": a tunnel, a container, or hidden");
    }
    return proc.process(own.get().parent())
        .filter(ServerProcess::isPostgres)
        .map(main -> new ServerProcess(main.pid(), main.startTicks(), session.clusterName(), null))
        .orElseGet(() -> unknown("the parent of our session is not PostgreSQL"));
  }

  private static boolean isLocal(@Nullable String address) {
    return address == null || InetAddress.ofLiteral(address).isLoopbackAddress();
  }

  private static boolean isPostgres(Proc.Entry process) {
    return PROGRAMS.contains(process.name());
  }

  private static ServerProcess unknown(String reason) {
    return new ServerProcess(null, 0, "", reason);
  }
}
