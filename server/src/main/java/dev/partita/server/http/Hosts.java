package dev.partita.server.http;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The names under which this server may be spoken to. A page of another site can make a browser on
 * this machine look up the site's own name as 127.0.0.1 and so reach a server that listens on
 * loopback only; it then still says the other name, and is turned away.
 */
public final class Hosts {

  private final Set<String> names;

  private Hosts(Set<String> names) {
    this.names = Set.copyOf(names);
  }

  /** Names of this machine for itself, and the address that the server listens on. */
  public static Hosts loopback(InetAddress address) {
    String literal = address.getHostAddress();
    Set<String> names = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    names.add(literal.indexOf(':') < 0 ? literal : "[" + literal + "]");
    return new Hosts(names);
  }

  /**
   * Requires one of the names, with any port.
   *
   * @throws ProblemException 421
   */
  void check(Request request) {
    String host = request.header("Host").orElse("");
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    if (!names.contains(name.toLowerCase(Locale.ROOT))) {
      throw new ProblemException(
          Problem.of(
              421,
              "misdirected_request",
              "this server is spoken to as localhost, 127.0.0.1 or [::1], not under the name in Host"));
    }
  }
}
