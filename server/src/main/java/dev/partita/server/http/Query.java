package dev.partita.server.http;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.MisuseException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query, each at most once, all of them known. What is absent is null; a value
 * that cannot be read is a 400 that names its parameter. Immutable.
 */
public final class Query {

  private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,9}");

  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads a query.
   *
   * @param raw as sent, or null
   * @param known the names that may be in it
   * @throws ProblemException 400 if it has another name, or one twice, or bad percent-encoding
   */
  static Query parse(@Nullable String raw, Set<String> known) {
    Map<String, String> values = new HashMap<>();
    if (raw != null && !raw.isEmpty()) {
      for (String pair : raw.split("&", -1)) {
        int equals = pair.indexOf('=');
        String name = PercentText.query(equals < 0 ? pair : pair.substring(0, equals));
        String value = PercentText.query(equals < 0 ? "" : pair.substring(equals + 1));
        if (!known.contains(name)) {
          throw unknown(name, known);
        }
        if (values.put(name, value) != null) {
          throw bad("repeated_parameter", name, "is there twice; give it once");
        }
      }
    }
    return new Query(Map.copyOf(values));
  }

  /** A text. */
  public @Nullable String text(String name) {
    return values.get(name);
  }

  /** Whether it is given. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** A whole number; {@code absent} if it is not given. */
  public int number(String name, int absent) {
    Integer number = number(name);
    return number == null ? absent : number;
  }

  /** A whole number. */
  public @Nullable Integer number(String name) {
    return read(
        name,
        text -> {
          if (!WHOLE_NUMBER.matcher(text).matches()) {
            throw new MisuseException("must be a whole number of at most 9 digits");
          }
          return Integer.valueOf(text);
        });
  }

  /** An instant, as RFC 3339 text in UTC. */
  public @Nullable Instant instant(String name) {
    return read(
        name,
        text -> {
          try {
            if (text.endsWith("Z")) {
              return Instant.parse(text);
            }
          } catch (DateTimeException _) {
            // Told below, as for a text without Z.
          }
          throw new MisuseException("must be a time in UTC, such as 2026-01-31T23:59:59.999999Z");
        });
  }

  /** The id of an account. */
  public @Nullable AccountId account(String name) {
    return read(name, AccountId::new);
  }

  /** The code of an asset. */
  public @Nullable AssetCode asset(String name) {
    return read(name, AssetCode::new);
  }

  /** The id of a transfer or group. */
  public @Nullable UUID uuid(String name) {
    return read(name, text -> Ids.parse(name, text));
  }

  /** One of several words; {@code absent} if it is not given. */
  public String word(String name, Set<String> words, String absent) {
    String value = values.getOrDefault(name, absent);
    if (!words.contains(value)) {
      throw bad(
          "invalid_parameter",
          name,
          "must be one of " + String.join(", ", words.stream().sorted().toList()));
    }
    return value;
  }

  private <T> @Nullable T read(String name, Function<String, T> reader) {
    String text = values.get(name);
    if (text == null) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (MisuseException e) {
      throw bad("invalid_parameter", name, e.detail());
    }
  }

  /** A 400 for a parameter. */
  public static ProblemException bad(String code, String parameter, String what) {
    return new ProblemException(
        Problem.of(400, code, parameter + ": " + what).parameter(parameter));
  }

  private static ProblemException unknown(String name, Set<String> known) {
    String allowed =
        known.isEmpty()
            ? "this address takes none"
            : "this address takes " + String.join(", ", known.stream().sorted().toList());
    String shown = name.length() <= 64 ? name : name.substring(0, 64) + "…";
    return bad("unknown_parameter", shown, "is not a parameter here; " + allowed);
  }
}
