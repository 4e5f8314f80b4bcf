package dev.partita.server;

import dev.partita.MisuseException;
import dev.partita.server.auth.ApiKeys;
import dev.partita.server.tls.ServerTls;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may speak to a server, and how. Immutable; each method answers a changed copy.
 *
 * @param keys the API keys of which every request but those about health needs one; null: everybody
 *     who can reach the server may do everything
 * @param tls to speak HTTPS with; null for plain HTTP
 * @param hosts names under which it may be spoken to; empty for the safe ones, or, where keys are
 *     needed, for all
 * @param waivers protections that somebody has decided to go without
 */
public record Security(
    @Nullable ApiKeys keys, @Nullable ServerTls tls, Set<String> hosts, Set<Waiver> waivers) {

  /** No keys and plain HTTP: for loopback addresses. */
  public static final Security NONE = new Security(null, null, Set.of(), Set.of());

  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]");

  /** What a server that other machines can reach has unless it is waived. */
  public enum Waiver {
    /** To need no keys: whoever can reach the server may do everything. */
    KEYS,
    /** To speak plain HTTP: whoever is on the way can read keys and change requests. */
    TLS
  }

  /**
   * Takes copies.
   *
   * @throws MisuseException if a host is no name that can stand in Host
   */
  public Security {
    hosts = Set.copyOf(hosts);
    waivers = Set.copyOf(waivers);
    for (String host : hosts) {
      if (!HOST.matcher(host).matches()) {
        throw new MisuseException(
            "hosts",
            "must be names such as ledger.example or addresses such as 192.0.2.7 or [2001:db8::1],"
                + " without scheme and port");
      }
    }
  }

  /** With these keys needed; null for none. */
  public Security keys(@Nullable ApiKeys newKeys) {
    return new Security(newKeys, tls, hosts, waivers);
  }

  /** With HTTPS; null for plain HTTP. */
  public Security tls(@Nullable ServerTls newTls) {
    return new Security(keys, newTls, hosts, waivers);
  }

  /** With these names. */
  public Security hosts(Set<String> newHosts) {
    return new Security(keys, tls, newHosts, waivers);
  }

  /** Without this protection, knowingly. */
  public Security waive(Waiver waiver) {
    Set<Waiver> more = new HashSet<>(waivers);
    more.add(Objects.requireNonNull(waiver, "waiver"));
    return new Security(keys, tls, hosts, more);
  }

  /**
   * Checks that the protection is enough for an address.
   *
   * @throws MisuseException if the address can be reached from other machines, and keys or TLS are
   *     missing and not waived
   */
  public void requireEnoughFor(InetAddress address) {
    requireTlsFor(address);
    if (!address.isLoopbackAddress() && keys == null && !waivers.contains(Waiver.KEYS)) {
      throw new MisuseException(
          "address",
          address.getHostAddress()
              + " can be reached from other machines, and without API keys all of them could post:"
              + " create keys, listen on 127.0.0.1 or ::1, or waive the keys explicitly");
    }
  }

  /**
   * The part of {@link #requireEnoughFor} that can be checked before keys are known.
   *
   * @throws MisuseException if TLS is missing and not waived
   */
  public void requireTlsFor(InetAddress address) {
    if (!address.isLoopbackAddress() && tls == null && !waivers.contains(Waiver.TLS)) {
      throw new MisuseException(
          "address",
          address.getHostAddress()
              + " can be reached from other machines, and without TLS everybody on the way could"
              + " read keys and change requests: give a certificate and its key, listen on"
              + " 127.0.0.1 or ::1, or waive TLS explicitly");
    }
  }
}
