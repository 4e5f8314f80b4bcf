package dev.partita.cli.output;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Named values of one thing, printed one a line. */
public final class Fields {

  private final Map<String, String> values = new LinkedHashMap<>();

  /** Adds a value; null is left out. */
  public Fields add(String name, @Nullable Object value) {
    if (value != null) {
      values.put(name, value.toString());
    }
    return this;
  }

  /** Prints all. */
  public void print(Terminal terminal) {
    int width = values.keySet().stream().mapToInt(String::length).max().orElse(0);
    values.forEach(
        (name, value) ->
            terminal
                .out()
                .println(
                    terminal.styled(
                            Terminal.Style.DIM, name + " ".repeat(width - name.length() + 2))
                        + Text.visible(value)));
  }
}
