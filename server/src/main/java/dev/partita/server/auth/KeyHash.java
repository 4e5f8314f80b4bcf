package dev.partita.server.auth;

import dev.partita.MisuseException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The SHA-256 of a key, which is all that is stored of it.
 *
 * <p>A slow hash, as passwords need, would add nothing: those slow down the guessing of texts that
 * people choose. A key's secret is 256 random bits, of which nobody can try a noticeable part, and
 * a slow hash would only make every request expensive.
 *
 * <p>Immutable. Compared in a time that does not depend on where two differ.
 */
public final class KeyHash {

  private static final String ALGORITHM = "SHA-256";
  private static final int BYTES = 32;

  private final byte[] bytes;

  private KeyHash(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Of a whole key, its id included, so that a hash fits the key of one id only. */
  public static KeyHash of(String key) {
    try {
      return new KeyHash(
          MessageDigest.getInstance(ALGORITHM).digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /**
   * As stored.
   *
   * @param hex 64 hexadecimal digits
   * @throws MisuseException if it is something else
   */
  public static KeyHash ofHex(String hex) {
    try {
      byte[] bytes = HexFormat.of().parseHex(hex);
      if (bytes.length == BYTES) {
        return new KeyHash(bytes);
      }
    } catch (IllegalArgumentException _) {
      // Told below, without the text: it might be the key itself.
    }
    throw new MisuseException("hash", "must be the 64 hexadecimal digits of a SHA-256");
  }

  /** To be stored. */
  public String hex() {
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public boolean equals(Object other) {
    // Not Arrays.equals, which stops at the first difference and so tells how far a guess is right.
    return other instanceof KeyHash hash && MessageDigest.isEqual(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return bytes[0];
  }

  /** Not the hash. */
  @Override
  public String toString() {
    return "KeyHash(hidden)";
  }
}
