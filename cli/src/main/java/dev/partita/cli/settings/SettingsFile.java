package dev.partita.cli.settings;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;

/** A file of settings: Java properties in UTF-8, each key known and there once. */
final class SettingsFile {

  private static final long BYTES_MAX = 1 << 16;

  private SettingsFile() {}

  static Map<Setting, String> read(Path file) {
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    Properties properties =
        new Properties() {
          private static final long serialVersionUID = 1;

          @Override
          public synchronized Object put(Object key, Object value) {
            Setting setting = setting(file, String.valueOf(key));
            String text = String.valueOf(value).strip();
            if (text.isEmpty()) {
              throw new MisuseException(
                  setting.key(), "has no value in " + file + "; give it one or leave it out");
            }
            if (values.put(setting, text) != null) {
              throw new MisuseException(setting.key(), "is in " + file + " twice; give it once");
            }
            return this;
          }
        };
    try {
      properties.load(new StringReader(text(file)));
    } catch (IllegalArgumentException e) {
      throw new MisuseException("--config", file + " is malformed: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
    return values;
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new MisuseException("--config", file + " is longer than 64 KiB");
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new MisuseException("--config", "there is no file " + file);
    } catch (AccessDeniedException e) {
      throw new MisuseException("--config", "this user may not read " + file);
    } catch (CharacterCodingException e) {
      throw new MisuseException("--config", file + " is not in UTF-8");
    } catch (IOException e) {
      throw new MisuseException("--config", file + " cannot be read: " + e.getMessage());
    }
  }

  private static Setting setting(Path file, String key) {
    Setting nearest = Setting.HOST;
    int least = Integer.MAX_VALUE;
    for (Setting setting : Setting.values()) {
      if (setting.key().equals(key)) {
        return setting;
      }
      int distance = distance(key, setting.key());
      if (distance < least) {
        least = distance;
        nearest = setting;
      }
    }
    throw new MisuseException(
        "--config",
        file
            + " sets "
            + Text.quote(key)
            + ", which there is not; the nearest is "
            + nearest.key());
  }

  /** How many characters to insert, remove or replace (Levenshtein). */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
