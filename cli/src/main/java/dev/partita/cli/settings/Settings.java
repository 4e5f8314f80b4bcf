package dev.partita.cli.settings;

import dev.partita.MisuseException;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Text;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The values of all settings and where each comes from: flags before the environment before a file
 * before the defaults. Immutable. Each value is checked when it is asked for; what is wrong is told
 * under the name by which it was given.
 */
public final class Settings {

  /** Names the file, if no flag does. */
  public static final String FILE_VARIABLE = "PARTITA_CONFIG";

  private final Map<Setting, Value> values;

  /**
   * A value.
   *
   * @param setting of what
   * @param text as given; null if there is none
   * @param origin where it comes from, in words
   * @param name what it is called there, for messages
   */
  public record Value(Setting setting, @Nullable String text, String origin, String name) {

    /** As it may be shown: a database's address may have a password behind its question mark. */
    public @Nullable String shown() {
      if (text == null || setting != Setting.URL || text.indexOf('?') < 0) {
        return text;
      }
      return text.substring(0, text.indexOf('?')) + "?(hidden)";
    }
  }

  private Settings(Map<Setting, Value> values) {
    this.values = values;
  }

  /**
   * Finds all values.
   *
   * @param flags those given on the command line
   * @param environment the variables of the process
   * @param file named by {@code --config}, or null
   * @throws MisuseException if the file cannot be read or has a key that there is not, or a
   *     variable is set but empty
   */
  public static Settings find(
      Map<Setting, String> flags, Map<String, String> environment, @Nullable String file) {
    String named = file == null ? variable(environment, FILE_VARIABLE) : file;
    Path path = named == null ? null : path("--config", named);
    Map<Setting, String> inFile = path == null ? Map.of() : SettingsFile.read(path);
    Map<Setting, Value> values = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      values.put(setting, find(setting, flags, environment, inFile, String.valueOf(path)));
    }
    return new Settings(values);
  }

  private static Value find(
      Setting setting,
      Map<Setting, String> flags,
      Map<String, String> environment,
      Map<Setting, String> inFile,
      String path) {
    String flag = flags.get(setting);
    if (setting == Setting.URL && flag == null && flags.containsKey(Setting.DATA)) {
      // Who names a directory means the embedded database.
      return new Value(setting, null, "default", setting.flag());
    }
    if (flag != null) {
      return new Value(setting, flag, "flag", setting.flag());
    }
    String name = setting.variable();
    String variable = name == null ? null : variable(environment, name);
    if (name != null && variable != null) {
      return new Value(setting, variable, "environment " + name, name);
    }
    String text = inFile.get(setting);
    return text == null
        ? new Value(setting, setting.byDefault(), "default", setting.flag())
        : new Value(setting, text, "file " + path, setting.key() + " in " + path);
  }

  private static @Nullable String variable(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value != null && value.isBlank()) {
      throw new MisuseException(name, "is set, but empty; give it a value or unset it");
    }
    return value;
  }

  /** All of them, in the order of the documentation. */
  public List<Value> all() {
    return new ArrayList<>(values.values());
  }

  /** The value of a setting. */
  public Value value(Setting setting) {
    return Objects.requireNonNull(values.get(setting));
  }

  /** A text that always has a value. */
  public String text(Setting setting) {
    return Objects.requireNonNull(value(setting).text());
  }

  /** A whole number in a range. */
  public int number(Setting setting, int min, int max) {
    return Arguments.small(value(setting).name(), text(setting), min, max);
  }

  /** Whether a switch is on. */
  public boolean on(Setting setting) {
    return switch (text(setting)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new MisuseException(
              value(setting).name(), Text.quote(text(setting)) + " is neither true nor false");
    };
  }

  /** A time of at least a second. */
  public Duration time(Setting setting, Duration max) {
    Duration time = Duration.ofSeconds(Arguments.seconds(value(setting).name(), text(setting)));
    if (time.compareTo(max) > 0) {
      throw new MisuseException(value(setting).name(), "is at most " + max.toHours() + "h");
    }
    return time;
  }

  /** A file; null if none is named. */
  public @Nullable Path file(Setting setting) {
    Value value = value(setting);
    return value.text() == null ? null : path(value.name(), value.text());
  }

  /** Names separated by commas; empty if there are none. */
  public Set<String> names(Setting setting) {
    Value value = value(setting);
    Set<String> names = new TreeSet<>();
    if (value.text() != null) {
      for (String name : value.text().split(",", -1)) {
        names.add(name.strip());
      }
    }
    return names;
  }

  private static Path path(String name, String text) {
    try {
      if (!text.isBlank()) {
        return Path.of(text);
      }
    } catch (InvalidPathException _) {
      // Told below.
    }
    throw new MisuseException(name, Text.quote(text) + " cannot be a file");
  }
}
