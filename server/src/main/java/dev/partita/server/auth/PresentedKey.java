package dev.partita.server.auth;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key as its holder presents it: {@code partita_ID_SECRET}. The prefix lets people and scanners
 * for leaked secrets recognise one, the id says which key is meant, the secret proves it.
 * Immutable.
 */
public final class PresentedKey {

  private static final String PREFIX = "partita_";
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final int ID_LENGTH = 10;
  // 62^43 is more than 2^256.
  private static final int SECRET_LENGTH = 43;
  private static final int LENGTH = PREFIX.length() + ID_LENGTH + 1 + SECRET_LENGTH;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9]{10}");
  private static final Pattern KEY = Pattern.compile("partita_([A-Za-z0-9]{10})_[A-Za-z0-9]{43}");

  private final String id;
  private final String text;

  private PresentedKey(String id, String text) {
    this.id = id;
    this.text = text;
  }

  /** A new key. */
  public static PresentedKey generate(SecureRandom random) {
    String id = letters(random, ID_LENGTH);
    return new PresentedKey(id, PREFIX + id + "_" + letters(random, SECRET_LENGTH));
  }

  /** The key that a text is; empty if it has not the form of one. */
  public static Optional<PresentedKey> parse(String text) {
    if (text.length() != LENGTH) {
      return Optional.empty();
    }
    Matcher matcher = KEY.matcher(text);
    return matcher.matches()
        ? Optional.of(new PresentedKey(matcher.group(1), text))
        : Optional.empty();
  }

  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  private static String letters(SecureRandom random, int count) {
    StringBuilder letters = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      letters.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return letters.toString();
  }

  /** The part that may be seen. */
  public String id() {
    return id;
  }

  /** What is stored of it. */
  public KeyHash hash() {
    return KeyHash.of(text);
  }

  /** The whole key, to be shown once to whoever created it. */
  public String reveal() {
    return text;
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return PREFIX + id + "_(hidden)";
  }
}
