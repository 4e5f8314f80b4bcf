package dev.partita.lab.study;

import dev.partita.lab.contender.CallerBatches;
import dev.partita.lab.contender.Ceiling;
import dev.partita.lab.contender.Contender;
import dev.partita.lab.contender.EntriesOnly;
import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.Partita;
import dev.partita.lab.contender.PartitaHttp;
import dev.partita.lab.contender.PartitaInTransaction;
import dev.partita.lab.contender.ReadModifyWrite;
import dev.partita.lab.contender.StoredFunction;
import dev.partita.lab.contender.SubAccounts;
import dev.partita.lab.contender.TimerBatches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every contender that can be named. */
public final class Contenders {

  private static final int PARTS = 64;
  private static final Duration TIMER = Duration.ofMillis(250);

  private Contenders() {}

  /** All that the lab brings along, as a list shows them. */
  public static List<Contender> all() {
    return List.of(
        new Partita(),
        new PartitaInTransaction(),
        new PartitaHttp(PartitaHttp.Client.PLAIN),
        new PartitaHttp(PartitaHttp.Client.JAVA),
        new Naive(Naive.Order.HOT_FIRST),
        new Naive(Naive.Order.HOT_LAST),
        new ReadModifyWrite(),
        new OneStatement(),
        new StoredFunction(),
        new SubAccounts(PARTS),
        new EntriesOnly(),
        new CallerBatches(),
        new TimerBatches(TIMER),
        new Ceiling());
  }

  /** The one of this name. */
  public static Optional<Contender> named(String name, Guests guests) {
    return Stream.concat(all().stream(), guests.contenders().stream())
        .filter(each -> each.card().name().equals(name))
        .findFirst();
  }
}
