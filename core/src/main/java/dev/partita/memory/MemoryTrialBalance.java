package dev.partita.memory;

import dev.partita.AssetCode;
import dev.partita.Counters;
import dev.partita.Side;
import dev.partita.TrialBalance;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds the counters of all accounts up. Guarded by the ledger's lock. */
final class MemoryTrialBalance {

  private MemoryTrialBalance() {}

  private record Key(AssetCode asset, int code, Side normal) {

    static final Comparator<Key> ORDER =
        Comparator.comparing(Key::asset).thenComparingInt(Key::code).thenComparing(Key::normal);
  }

  static TrialBalance of(MemoryBooks books, Instant now) {
    Map<Key, TrialBalance.Line> lines = new TreeMap<>(Key.ORDER);
    for (MemoryAccount account : books.accounts().values()) {
      Key key =
          new Key(account.opened().asset(), account.opened().code(), account.opened().normal());
      Counters counters = account.balanceAfter(account.version()).counters();
      lines.merge(key, line(key, counters), MemoryTrialBalance::sum);
    }
    return new TrialBalance(List.copyOf(lines.values()), now);
  }

  private static TrialBalance.Line line(Key key, Counters counters) {
    return new TrialBalance.Line(
        key.asset(),
        key.code(),
        key.normal(),
        1,
        counters.debitsPosted().toBigInteger(),
        counters.creditsPosted().toBigInteger(),
        counters.debitsPending().toBigInteger(),
        counters.creditsPending().toBigInteger());
  }

  private static TrialBalance.Line sum(TrialBalance.Line a, TrialBalance.Line b) {
    return new TrialBalance.Line(
        a.asset(),
        a.code(),
        a.normal(),
        a.accounts() + b.accounts(),
        a.debitsPosted().add(b.debitsPosted()),
        a.creditsPosted().add(b.creditsPosted()),
        a.debitsPending().add(b.debitsPending()),
        a.creditsPending().add(b.creditsPending()));
  }
}
