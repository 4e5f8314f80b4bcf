package dev.partita.postgres;

import dev.partita.CorruptionException;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Metadata as the flat JSON object of text that the jsonb columns hold; empty metadata is null. */
final class MetadataJson {

  private final String text;
  private int at;

  private MetadataJson(String text) {
    this.text = text;
  }

  /** The object's text, or null for empty metadata. */
  static @Nullable String write(Metadata metadata) {
    if (metadata.isEmpty()) {
      return null;
    }
    StringBuilder out = new StringBuilder(metadata.bytes() + 16);
    char separator = '{';
    for (Map.Entry<String, String> entry : metadata.asMap().entrySet()) {
      out.append(separator);
      writeString(entry.getKey(), out);
      out.append(':');
      writeString(entry.getValue(), out);
      separator = ',';
    }
    return out.append('}').toString();
  }

  /**
   * Reads what jsonb prints.
   *
   * @throws CorruptionException if it is anything but a flat object of text
   */
  static Metadata read(@Nullable String json) {
    if (json == null) {
      return Metadata.EMPTY;
    }
    MetadataJson reader = new MetadataJson(json);
    Map<String, String> entries = new TreeMap<>();
    reader.expect('{');
    if (!reader.accept('}')) {
      do {
        String key = reader.string();
        reader.expect(':');
        if (entries.put(key, reader.string()) != null) {
          throw reader.corrupt();
        }
      } while (reader.accept(','));
      reader.expect('}');
    }
    reader.skipBlanks();
    if (reader.at != json.length()) {
      throw reader.corrupt();
    }
    try {
      return Metadata.of(entries);
    } catch (MisuseException e) {
      throw TransferRows.corrupt("metadata", e);
    }
  }

  private static void writeString(String value, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return out.toString();
      }
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> (char) (digit() << 12 | digit() << 8 | digit() << 4 | digit());
      case '"', '\\', '/' -> c;
      default -> throw corrupt();
    };
  }

  private int digit() {
    char c = next();
    if (!HexFormat.isHexDigit(c)) {
      throw corrupt();
    }
    return HexFormat.fromHexDigit(c);
  }

  private char next() {
    if (at >= text.length()) {
      throw corrupt();
    }
    return text.charAt(at++);
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw corrupt();
    }
  }

  private boolean accept(char c) {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private CorruptionException corrupt() {
    return new CorruptionException("stored metadata is no flat object of text, at character " + at);
  }
}
