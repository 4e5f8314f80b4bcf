package dev.partita;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Comparator;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Ids of transfers and groups: UUIDs that the caller chooses before the first attempt, so that
 * every repetition carries the same one.
 *
 * <p>Any UUID will do except nil, max and version 8, which the engine keeps for the ids it derives
 * itself. Version 7 keeps neighbours in time together in indexes and is recommended.
 */
public final class Ids {

  /** Ids as unsigned 128-bit numbers; {@link UUID#compareTo} is signed and orders differently. */
  public static final Comparator<UUID> UNSIGNED_ORDER = Ids::compareUnsigned;

  private static final UUID NIL = new UUID(0, 0);
  private static final UUID MAX = new UUID(-1, -1);
  private static final int ENGINE_VERSION = 8;
  private static final int TEXT_LENGTH = 36;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int FRACTION_BITS = 12;
  // A version 7 id has 48 bits for the milliseconds.
  private static final Instant TIME_END = Instant.ofEpochMilli(1L << 48);

  private Ids() {}

  /**
   * A new version 7 id. Its first 60 bits are the time to a quarter of a microsecond (RFC 9562,
   * section 6.2, method 3), so that ids made one after another rise also within a millisecond, as
   * far as the clock tells them apart; 62 bits are random.
   *
   * @param now the time to sort it by, 1970 or later
   * @param random where its other bits come from, for example a {@code SecureRandom}
   * @throws MisuseException if the time is before 1970 or after 10889
   */
  public static UUID timeOrdered(Instant now, RandomGenerator random) {
    long nanos = now.get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MILLI;
    long fraction = (nanos << FRACTION_BITS) / NANOS_PER_MILLI;
    return stamp((millis(now) << 16) | fraction, random.nextLong(), 7);
  }

  /** The id that {@code text} stands for, the same for ever: a version 5 shaped SHA-256. */
  public static UUID named(String text) {
    ByteBuffer hash = hash("named", utf8(text));
    return stamp(hash.getLong(), hash.getLong(), 5);
  }

  /**
   * As {@link #named(String)} with the first 48 bits taken from {@code instant}, shaped as version
   * 7, so that derived ids keep index locality.
   *
   * @throws MisuseException if the instant is before 1970
   */
  public static UUID named(Instant instant, String text) {
    ByteBuffer hash = hash("named", utf8(text));
    long high = (millis(instant) << 16) | (hash.getLong() & 0xFFFF);
    return stamp(high, hash.getLong(), 7);
  }

  /** The id of the EXPIRY of a hold. */
  public static UUID expiryOf(UUID holdId) {
    ByteBuffer hash = hash("expiry", bytes(holdId).array());
    return stamp(hash.getLong(), hash.getLong(), ENGINE_VERSION);
  }

  /** The id of member {@code index} of a group that resolves another group. */
  public static UUID memberOf(UUID newGroupId, int index) {
    ByteBuffer seed = ByteBuffer.allocate(20).put(bytes(newGroupId)).putInt(index);
    ByteBuffer hash = hash("member", seed.array());
    return stamp(hash.getLong(), hash.getLong(), ENGINE_VERSION);
  }

  /**
   * Reads the canonical 36-character form, in either case. (The JDK's own parser takes abbreviated
   * forms too.)
   *
   * @throws MisuseException if the text is anything else
   */
  public static UUID parse(String field, String text) {
    boolean valid = text.length() == TEXT_LENGTH;
    for (int i = 0; valid && i < TEXT_LENGTH; i++) {
      char c = text.charAt(i);
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      valid =
          dash
              ? c == '-'
              : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
    if (!valid) {
      throw new MisuseException(
          field, Texts.quote(text) + " is not a UUID such as 018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b");
    }
    return UUID.fromString(text);
  }

  /** Compares as unsigned 128-bit numbers. */
  public static int compareUnsigned(UUID a, UUID b) {
    int byHigh = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return byHigh != 0
        ? byHigh
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }

  /** Whether the engine made this id: version 8. */
  static boolean isEngineMade(UUID id) {
    return id.version() == ENGINE_VERSION;
  }

  static void requireUsable(String field, UUID id) {
    if (id.equals(NIL) || id.equals(MAX)) {
      throw new MisuseException(
          field, "the " + (id.equals(NIL) ? "nil" : "max") + " UUID is no id");
    }
  }

  static void requireCallers(String field, UUID id) {
    requireUsable(field, id);
    if (isEngineMade(id)) {
      throw new MisuseException(
          field,
          id + " is a version 8 UUID, which the engine keeps for itself; use version 7 or 4");
    }
  }

  private static long millis(Instant instant) {
    if (instant.isBefore(Instant.EPOCH) || !instant.isBefore(TIME_END)) {
      throw new MisuseException(
          "instant", "a version 7 id needs a time from 1970 to 10889, was " + instant);
    }
    return instant.toEpochMilli();
  }

  private static byte[] utf8(String text) {
    Texts.requireStorable("name", text);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ByteBuffer bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .flip();
  }

  private static ByteBuffer hash(String prefix, byte[] content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(prefix.getBytes(StandardCharsets.US_ASCII));
      return ByteBuffer.wrap(digest.digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static UUID stamp(long high, long low, int version) {
    return new UUID(
        (high & ~0xF000L) | ((long) version << 12),
        (low & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE);
  }
}
