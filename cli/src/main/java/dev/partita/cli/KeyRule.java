package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.server.auth.ApiKey;
import java.net.InetAddress;
import java.util.List;

/**
 * Whether a server needs keys, decided when it starts, so that creating the first key locks nobody
 * out who was not told.
 *
 * @param needed whether they are
 * @param sentence what to say about it
 */
record KeyRule(boolean needed, String sentence) {

  /** Also where all keys are revoked: revoking the last one must not open the doors. */
  static KeyRule of(
      InetAddress address, List<ApiKey> keys, boolean requireKeys, boolean allowNoKeys) {
    boolean reachable = !address.isLoopbackAddress();
    boolean usable = keys.stream().anyMatch(ApiKey::active);
    if (allowNoKeys) {
      return new KeyRule(
          false, "WITHOUT API KEYS (--allow-no-keys): whoever can reach it can do everything.");
    }
    if (reachable && !usable) {
      throw new MisuseException(
          "--host",
          address.getHostAddress()
              + " can be reached from other machines, and there is no API key in use; create one"
              + " with partita keys create NAME --scope read,post,admin, or waive keys with"
              + " --allow-no-keys");
    }
    if (!requireKeys && !reachable && keys.isEmpty()) {
      return new KeyRule(
          false,
          "No API key was ever created: whoever is on this machine can do everything. See partita"
              + " keys create.");
    }
    return new KeyRule(
        true,
        usable
            ? "Every request needs an API key."
            : "Every request needs an API key, and none is in use; see partita keys create.");
  }
}
