package dev.partita;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The caller's own notes on an account or a transfer: a flat map from text to text, in key order.
 *
 * <p>At most 64 entries; keys {@code [A-Za-z0-9._-]{1,64}}; keys and values together at most 16,384
 * bytes of UTF-8; no NUL and no lone surrogates. Immutable.
 */
public final class Metadata {

  /** No notes. */
  public static final Metadata EMPTY = new Metadata(new TreeMap<>(), 0);

  /** Most entries. */
  public static final int ENTRIES_MAX = 64;

  /** Most bytes of UTF-8, keys and values together. */
  public static final int BYTES_MAX = 16_384;

  private static final int KEY_LENGTH_MAX = 64;

  private final SortedMap<String, String> entries;
  private final int bytes;

  private Metadata(SortedMap<String, String> entries, int bytes) {
    this.entries = Collections.unmodifiableSortedMap(entries);
    this.bytes = bytes;
  }

  /**
   * Notes with these entries.
   *
   * @throws MisuseException if there are too many, or one is malformed or too long
   */
  public static Metadata of(Map<String, String> entries) {
    if (entries.isEmpty()) {
      return EMPTY;
    }
    if (entries.size() > ENTRIES_MAX) {
      throw new MisuseException(
          "metadata", "has " + entries.size() + " entries, at most 64 are allowed");
    }
    int bytes = 0;
    SortedMap<String, String> checked = new TreeMap<>();
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      requireKey(entry.getKey());
      Texts.requireStorable("metadata." + entry.getKey(), entry.getValue());
      bytes += entry.getKey().length();
      // A char is at least one byte: refuse before encoding something enormous.
      if (entry.getValue().length() > BYTES_MAX) {
        throw tooLong();
      }
      bytes += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
      checked.put(entry.getKey(), entry.getValue());
    }
    if (bytes > BYTES_MAX) {
      throw tooLong();
    }
    return new Metadata(checked, bytes);
  }

  /** The entries in key order; unmodifiable. */
  public SortedMap<String, String> asMap() {
    return entries;
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Size in bytes of UTF-8, keys and values together. */
  public int bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metadata that && entries.equals(that.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }

  private static MisuseException tooLong() {
    return new MisuseException(
        "metadata", "keys and values together are more than 16,384 bytes of UTF-8");
  }

  private static void requireKey(String key) {
    boolean valid = !key.isEmpty() && key.length() <= KEY_LENGTH_MAX;
    for (int i = 0; valid && i < key.length(); i++) {
      char c = key.charAt(i);
      valid =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '.'
              || c == '_'
              || c == '-';
    }
    if (!valid) {
      throw new MisuseException(
          "metadata",
          Texts.quote(key) + " is not a key: 1 … 64 characters A-Z a-z 0-9 . _ - are allowed");
    }
  }
}
