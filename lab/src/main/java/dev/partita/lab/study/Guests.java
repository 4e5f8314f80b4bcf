package dev.partita.lab.study;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.contender.PgLedger;
import dev.partita.lab.contender.TigerBeetle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Systems that are not ours, where the user has them.
 *
 * @param pgledger folder with pgledger's SQL files, or null
 * @param tigerBeetle address of a TigerBeetle cluster, or null
 */
public record Guests(@Nullable Path pgledger, @Nullable String tigerBeetle) {

  /** Nobody. */
  public static final Guests NONE = new Guests(null, null);

  /**
   * Those that are there.
   *
   * @throws dev.partita.MisuseException under the name of the option, if one cannot be used
   */
  public List<Contender> contenders() {
    List<Contender> guests = new ArrayList<>();
    if (pgledger != null) {
      guests.add(PgLedger.in(pgledger));
    }
    if (tigerBeetle != null) {
      guests.add(TigerBeetle.at(tigerBeetle));
    }
    return guests;
  }
}
