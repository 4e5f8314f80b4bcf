package dev.partita.cli.input;

import dev.partita.Ids;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads arguments strictly: ASCII digits only, no signs or spaces that were not asked for, nothing
 * rounded. Every error is a {@link MisuseException} that begins with the option's name.
 */
public final class Arguments {

  private static final String KEY_PREFIX = "key:";

  /** New seeds are below: short enough to be typed again. */
  private static final long SEEDS = 1L << 40;

  private static final Pattern TIME =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})");
  private static final Pattern LONG_FRACTION = Pattern.compile("\\.[0-9]{7,}");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,10})([smhd]?)");

  private Arguments() {}

  /**
   * What {@code parse} makes of an argument, its errors under the argument's own name, unless they
   * name another option already.
   */
  public static <T> T named(String option, Supplier<T> parse) {
    try {
      return parse.get();
    } catch (MisuseException e) {
      if (String.valueOf(e.field()).startsWith("--")) {
        throw e;
      }
      throw new MisuseException(option, e.detail());
    }
  }

  /** A whole number between two bounds, inclusive. */
  public static long whole(String option, String text, long min, long max) {
    boolean digits = !text.isEmpty() && text.length() <= 18;
    for (int i = 0; digits && i < text.length(); i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    if (!digits || Long.parseLong(text) < min || Long.parseLong(text) > max) {
      throw new MisuseException(
          option, Text.quote(text) + " is not a whole number from " + min + " to " + max);
    }
    return Long.parseLong(text);
  }

  /** As {@link #whole} for small numbers. */
  public static int small(String option, String text, int min, int max) {
    return Math.toIntExact(whole(option, text, min, max));
  }

  /** The seed given with {@code --seed}, or a new one. */
  public static long seed(@Nullable String text) {
    return text == null
        ? RandomGenerator.getDefault().nextLong(SEEDS)
        : whole("--seed", text, 0, Long.MAX_VALUE);
  }

  /** As {@link #small}, or null if the argument is not given. */
  public static @Nullable Integer smallOrNull(
      String option, @Nullable String text, int min, int max) {
    return text == null ? null : small(option, text, min, max);
  }

  /** An instant in RFC 3339 with its offset, to the microsecond at most. */
  public static Instant time(String option, String text) {
    if (LONG_FRACTION.matcher(text).find()) {
      throw new MisuseException(
          option, Text.quote(text) + " is finer than a microsecond; give at most 6 digits");
    }
    if (!TIME.matcher(text).matches()) {
      throw new MisuseException(
          option,
          Text.quote(text)
              + " is not a time; write date, time and offset, for example 2026-01-31T23:59:59Z or"
              + " 2026-01-31T23:59:59.999999+01:00");
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new MisuseException(option, Text.quote(text) + " is no time on any calendar");
    }
  }

  /** As {@link #time}, or null if the argument is not given. */
  public static @Nullable Instant timeOrNull(String option, @Nullable String text) {
    return text == null ? null : time(option, text);
  }

  /**
   * A duration in whole seconds, at least one: {@code 90}, {@code 90s}, {@code 15m}, {@code 7d}.
   */
  public static int seconds(String option, String text) {
    Matcher matcher = DURATION.matcher(text);
    long seconds = 0;
    if (matcher.matches()) {
      long unit =
          switch (matcher.group(2)) {
            case "m" -> 60;
            case "h" -> 3_600;
            case "d" -> 86_400;
            default -> 1;
          };
      seconds = Long.parseLong(matcher.group(1)) * unit;
    }
    if (seconds < 1 || seconds > Integer.MAX_VALUE) {
      throw new MisuseException(
          option,
          Text.quote(text)
              + " is not a duration from 1 to 2147483647 seconds; write for example 90, 90s, 15m,"
              + " 24h or 7d");
    }
    return (int) seconds;
  }

  /**
   * The id of a transfer or group: a UUID, or {@code key:TEXT} for the id that a key stands for.
   */
  public static UUID id(String option, String text) {
    if (text.startsWith(KEY_PREFIX)) {
      return key(option, text.substring(KEY_PREFIX.length()));
    }
    return named(
        option,
        () -> {
          try {
            return Ids.parse(option, text);
          } catch (MisuseException e) {
            throw new MisuseException(option, e.detail() + ", and does not begin with key:");
          }
        });
  }

  /** As {@link #id}, or null if the argument is not given. */
  public static @Nullable UUID idOrNull(String option, @Nullable String text) {
    return text == null ? null : id(option, text);
  }

  /** The id that a key stands for. */
  public static UUID key(String option, String text) {
    if (text.isEmpty()) {
      throw new MisuseException(option, "a key is at least one character");
    }
    return named(option, () -> Ids.named(text));
  }

  /** Notes given as {@code KEY=VALUE}. */
  public static Metadata metadata(String option, List<String> pairs) {
    Map<String, String> entries = HashMap.newHashMap(pairs.size());
    for (String pair : pairs) {
      int at = pair.indexOf('=');
      if (at < 1) {
        throw new MisuseException(option, Text.quote(pair) + " is not KEY=VALUE");
      }
      if (entries.put(pair.substring(0, at), pair.substring(at + 1)) != null) {
        throw new MisuseException(
            option, "the key " + Text.quote(pair.substring(0, at)) + " is given twice");
      }
    }
    return named(option, () -> Metadata.of(entries));
  }

  /** One of an enum's values by its name in lower case. */
  public static <E extends Enum<E>> E choice(String option, String text, Class<E> type) {
    StringBuilder known = new StringBuilder();
    for (E value : type.getEnumConstants()) {
      String name = value.name().toLowerCase(java.util.Locale.ROOT);
      if (name.equals(text)) {
        return value;
      }
      known.append(known.isEmpty() ? "" : ", ").append(name);
    }
    throw new MisuseException(option, Text.quote(text) + " is none of " + known);
  }
}
