package dev.partita.server.http;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names under which this server may be spoken to. A page of another site can make a browser
 * look up the site's own name as the address of this server, and so reach one that the page's
 * author cannot; the browser then still says the other name, and is turned away. Such a page has no
 * API key: where those are needed, names need not be looked at. Immutable.
 */
public final class Hosts {

  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");

  private final Set<String> names;
  private final boolean literals;
  private final boolean any;

  private Hosts(Set<String> names, boolean literals, boolean any) {
    this.names = Set.copyOf(names);
    this.literals = literals;
    this.any = any;
  }

  /** Whatever name. */
  public static Hosts any() {
    return new Hosts(Set.of(), true, true);
  }

  /** These names and addresses only. */
  public static Hosts only(Set<String> names) {
    Set<String> lower = new HashSet<>();
    names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
    return new Hosts(lower, false, false);
  }

  /**
   * The names that are safe without being told any: those of this machine for itself, and the
   * address that the server listens on. Where that can be reached from other machines, every
   * address in figures too, since a page's name is never one.
   */
  public static Hosts of(InetAddress address) {
    String literal = address.getHostAddress();
    Set<String> names = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    names.add(literal.indexOf(':') < 0 ? literal : "[" + literal + "]");
    return new Hosts(names, !address.isLoopbackAddress(), false);
  }

  /**
   * Requires one of the names, with any port.
   *
   * @throws ProblemException 421
   */
  void check(Request request) {
    if (any) {
      return;
    }
    String host = request.header("Host").orElse("");
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    boolean known = names.contains(name.toLowerCase(Locale.ROOT));
    if (!known && !(literals && isLiteral(name))) {
      throw new ProblemException(
          Problem.of(
              421,
              "misdirected_request",
              "this server is spoken to as "
                  + String.join(", ", names.stream().sorted().toList())
                  + ", not under the name in Host; whoever runs it can allow more names"));
    }
  }

  private static boolean isLiteral(String name) {
    return IPV4.matcher(name).matches() || (name.startsWith("[") && name.endsWith("]"));
  }
}
