package dev.partita.server.api;

import dev.partita.json.Amounts;
import dev.partita.json.JsonReader;
import dev.partita.json.JsonWriter;
import dev.partita.server.http.Call;
import java.util.Set;

/**
 * The two forms in which amounts go over the wire, chosen by the query: decimals in major units,
 * or, with {@code amounts=minor}, whole minor units. Immutable.
 */
final class Forms {

  /** The name of the parameter. */
  static final String AMOUNTS = "amounts";

  private static final String MAJOR = "major";
  private static final String MINOR = "minor";

  private final Form major;
  private final Form minor;

  /** How to read and write with amounts in one form. */
  record Form(JsonReader reader, JsonWriter writer) {

    Form(Amounts amounts, long bodyBytesMax) {
      this(new JsonReader(amounts, bodyBytesMax), new JsonWriter(amounts));
    }
  }

  Forms(AssetCatalog assets, long bodyBytesMax) {
    major = new Form(Amounts.major(assets::find), bodyBytesMax);
    minor = new Form(Amounts.MINOR, bodyBytesMax);
  }

  /** The form with whole minor units. */
  Form minor() {
    return minor;
  }

  /** The form that a call asks for. */
  Form of(Call call) {
    return call.query().word(AMOUNTS, Set.of(MAJOR, MINOR), MAJOR).equals(MINOR) ? minor : major;
  }
}
