package dev.partita.testkit;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/** The ids that the rules derive, computed once more from hexadecimal text. */
final class DerivedIds {

  private DerivedIds() {}

  static UUID named(String text) {
    return shaped(sha256("named", text.getBytes(StandardCharsets.UTF_8)), '5');
  }

  static UUID named(long epochMillis, String text) {
    String time = String.format("%012x", epochMillis);
    String hash = sha256("named", text.getBytes(StandardCharsets.UTF_8));
    return shaped(time + hash.substring(12), '7');
  }

  static UUID expiryOf(UUID hold) {
    return shaped(sha256("expiry", bytes(hold)), '8');
  }

  static UUID memberOf(UUID newGroup, int index) {
    byte[] place = HexFormat.of().parseHex(String.format("%08x", index));
    return shaped(sha256("member", bytes(newGroup), place), '8');
  }

  private static byte[] bytes(UUID id) {
    return HexFormat.of().parseHex(id.toString().replace("-", ""));
  }

  private static String sha256(String prefix, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(prefix.getBytes(StandardCharsets.US_ASCII));
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.toByteArray());
      return HexFormat.of().formatHex(hash).substring(0, 32);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** 32 hexadecimal digits as a UUID of a version, with the variant of RFC 9562. */
  private static UUID shaped(String hex, char version) {
    int variant = new BigInteger(hex.substring(16, 17), 16).and(BigInteger.valueOf(3)).intValue();
    String digits =
        hex.substring(0, 12)
            + version
            + hex.substring(13, 16)
            + "89ab".charAt(variant)
            + hex.substring(17);
    return UUID.fromString(
        digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
  }
}
