package dev.partita.server;

import dev.partita.MisuseException;
import dev.partita.server.http.Limits;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;

/**
 * How a server listens and what it takes on. Immutable; each method answers a changed copy.
 *
 * @param address where to listen. One that other machines can reach needs keys and TLS, see {@link
 *     Security#requireEnoughFor}
 * @param port 0 … 65535; 0 for any that is free
 * @param limits what the server takes on at most
 * @param stopPatience how long {@link PartitaServer#close} waits for requests under way
 * @param security who may speak to the server, and how
 */
public record ServerConfig(
    InetAddress address, int port, Limits limits, Duration stopPatience, Security security) {

  /** Where a server listens if nothing else is said. */
  public static final int PORT_DEFAULT = 7070;

  private static final int PORT_MAX = 65_535;
  private static final Duration PATIENCE_MAX = Duration.ofHours(1);

  /** On 127.0.0.1, port 7070, with the default limits, 10 s of patience and no keys. */
  public static final ServerConfig DEFAULT =
      new ServerConfig(
          InetAddress.ofLiteral("127.0.0.1"),
          PORT_DEFAULT,
          Limits.DEFAULT,
          Duration.ofSeconds(10),
          Security.NONE);

  /**
   * Checks the values.
   *
   * @throws MisuseException if a value is out of range
   */
  public ServerConfig {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(stopPatience, "stopPatience");
    Objects.requireNonNull(security, "security");
    if (port < 0 || port > PORT_MAX) {
      throw new MisuseException("port", "must be 0 … 65535, was " + port);
    }
    if (stopPatience.isNegative() || stopPatience.compareTo(PATIENCE_MAX) > 0) {
      throw new MisuseException("stopPatience", "must be 0 … 1 hour, was " + stopPatience);
    }
  }

  /** These settings on another address. */
  public ServerConfig address(InetAddress newAddress) {
    return new ServerConfig(newAddress, port, limits, stopPatience, security);
  }

  /** These settings on another port; 0 for any that is free. */
  public ServerConfig port(int newPort) {
    return new ServerConfig(address, newPort, limits, stopPatience, security);
  }

  /** These settings with other limits. */
  public ServerConfig limits(Limits newLimits) {
    return new ServerConfig(address, port, newLimits, stopPatience, security);
  }

  /** These settings with another patience. */
  public ServerConfig stopPatience(Duration newPatience) {
    return new ServerConfig(address, port, limits, newPatience, security);
  }

  /** These settings with another protection. */
  public ServerConfig security(Security newSecurity) {
    return new ServerConfig(address, port, limits, stopPatience, newSecurity);
  }
}
