package dev.partita.lab.workload;

import dev.partita.MisuseException;
import dev.partita.lab.contender.Ability;
import dev.partita.lab.load.Source;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What is offered to a contender: between which accounts, how much at once, how often again, how
 * often in vain. Immutable; begin with {@link #of} and change what differs.
 *
 * @param name short and unique
 * @param accounts how many there are, 2 or more
 * @param picks which of them pay and are paid
 * @param batch transfers in each operation, 1 to 32,767
 * @param replays share of transfers, 0 to 1, that are sent a second time: the same id and content
 *     as one that the same caller sent before
 * @param refusals share of transfers, 0 to 1, of more than all the money there is: nobody has funds
 *     for those
 * @param opening what each account has at the beginning, in minor units, 0 or more
 */
public record Workload(
    String name,
    int accounts,
    Picks picks,
    int batch,
    double replays,
    double refusals,
    long opening) {

  /** Enough for every run, so that nothing is refused for funds unless it is meant to be. */
  private static final long OPENING = 1_000_000_000L;

  private static final int BATCH_MAX = Short.MAX_VALUE;
  private static final long SCATTER_SEED = 1847;

  /** Checks the ranges. */
  public Workload {
    require(accounts >= 2, "accounts", "must be 2 or more, was " + accounts);
    require(
        !(picks instanceof Picks.Pool pool) || pool.size() <= accounts,
        "pool",
        "has more than the " + accounts + " accounts there are");
    require(
        batch >= 1 && batch <= BATCH_MAX, "batch", "must be 1 to " + BATCH_MAX + ", was " + batch);
    require(replays >= 0 && replays <= 1, "replays", "must be 0 to 1, was " + replays);
    require(refusals >= 0 && refusals <= 1, "refusals", "must be 0 to 1, was " + refusals);
    require(
        opening >= 0 && opening < Long.MAX_VALUE / accounts,
        "opening",
        "must be 0 or more and all of it together a long, was " + opening);
  }

  private static void require(boolean holds, String field, String message) {
    if (!holds) {
      throw new MisuseException(field, message);
    }
  }

  /** Single transfers, each once, all funded. */
  public static Workload of(String name, int accounts, Picks picks) {
    return new Workload(name, accounts, picks, 1, 0, 0, OPENING);
  }

  /** Every account alike on both sides. */
  public static Workload uniform(int accounts) {
    return of("uniform", accounts, new Picks.Uniform());
  }

  /** Account 0 is paid by all the others. */
  public static Workload hot(int accounts) {
    return of("one hot account", accounts, new Picks.HotSide());
  }

  /** Both sides from a pool of so many accounts. */
  public static Workload pool(int accounts, int size) {
    return of("pool of " + size, accounts, new Picks.Pool(size));
  }

  /** Both sides by Zipf's law. */
  public static Workload zipf(int accounts, double exponent) {
    return of("Zipf " + exponent, accounts, new Picks.Zipf(exponent));
  }

  /** What a report says of it. */
  public String describe() {
    StringBuilder words = new StringBuilder(name);
    words.append(String.format(Locale.ROOT, ", %,d accounts", accounts));
    if (batch > 1) {
      words.append(String.format(Locale.ROOT, ", %,d transfers at once", batch));
    }
    if (replays > 0) {
      words.append(String.format(Locale.ROOT, ", %.0f %% repeated", 100 * replays));
    }
    if (refusals > 0) {
      words.append(String.format(Locale.ROOT, ", %.0f %% without funds", 100 * refusals));
    }
    return words.toString();
  }

  /** With so many transfers in each operation. */
  public Workload batch(int transfers) {
    return new Workload(name, accounts, picks, transfers, replays, refusals, opening);
  }

  /** With this share of transfers sent a second time. */
  public Workload replays(double share) {
    return new Workload(name, accounts, picks, batch, share, refusals, opening);
  }

  /** With this share of transfers that must be refused. */
  public Workload refusals(double share) {
    return new Workload(name, accounts, picks, batch, replays, share, opening);
  }

  /** With so much on each account at the beginning: little lets many transfers be refused. */
  public Workload opening(long minor) {
    return new Workload(name, accounts, picks, batch, replays, refusals, minor);
  }

  /** What a contender must be able to do, or it would answer another question. */
  public Set<Ability> needs() {
    Set<Ability> needs = EnumSet.noneOf(Ability.class);
    if (refusals > 0) {
      needs.add(Ability.REFUSES);
    }
    if (replays > 0) {
      needs.add(Ability.UNIQUE_IDS);
    }
    return needs;
  }

  /**
   * The operations of one caller. The same seed gives each caller the same ones, apart from the
   * time in their ids, whatever the other callers do; and picks of accounts, amounts, ids, repeats
   * and refusals are streams of their own, so that changing one changes no other.
   *
   * @param caller number of the caller, from 0
   */
  public Source source(int caller, long seed) {
    long own = Mix.of(seed, caller);
    Source source = new Transfers(payers(), payees(), batch, own);
    if (refusals > 0) {
      source = new Overdrafts(source, refusals, accounts * opening + 1, Mix.of(own, 1));
    }
    if (replays > 0) {
      source = new Repeats(source, replays, Mix.of(own, 2));
    }
    return source;
  }

  private Picker payers() {
    return picks instanceof Picks.HotSide ? Picker.uniform(1, accounts) : payees();
  }

  private Picker payees() {
    return switch (picks) {
      case Picks.Uniform() -> Picker.uniform(0, accounts);
      case Picks.HotSide() -> Picker.one(0);
      case Picks.Pool(int size) -> scattered(Picker.uniform(0, size));
      case Picks.Zipf(double exponent) -> scattered(Picker.zipf(0, accounts, exponent));
    };
  }

  private Picker scattered(Picker ranks) {
    Scatter scatter = new Scatter(accounts, SCATTER_SEED);
    return random -> scatter.at(ranks.next(random));
  }
}
