package dev.partita.cli.lab;

import dev.partita.MisuseException;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Text;
import dev.partita.lab.contender.Ability;
import dev.partita.lab.contender.Contender;
import dev.partita.lab.experiment.Load;
import dev.partita.lab.knee.Criterion;
import dev.partita.lab.study.AtRate;
import dev.partita.lab.study.Contenders;
import dev.partita.lab.study.Guests;
import dev.partita.lab.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code rate} and {@code knee} are told: whom to ask, and for what. */
public final class TargetOptions {

  private static final int RATE_MAX = 10_000_000;
  private static final int CONNECTIONS_MAX = 4_000;
  private static final int PLACES_MAX = 1_000_000;
  private static final int ACCOUNTS_MAX = 10_000_000;
  private static final int BATCH_MAX = 10_000;
  private static final int SQL_CONNECTIONS = 16;

  @Option(names = "--target", paramLabel = "NAME", description = "rate, knee: which contender.")
  private @Nullable String target;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "rate: operations offered a second, by chance as independent callers would.")
  private @Nullable String rate;

  @Option(names = "--evenly", description = "rate: at equal distances instead.")
  private boolean evenly;

  @Option(
      names = "--p99",
      paramLabel = "MS",
      description = "knee: the promise, 99 %% of responses within so many ms. Default: 20.")
  private @Nullable String p99;

  @Option(names = "--errors-only", description = "knee: promise only that operations do not fail.")
  private boolean errorsOnly;

  @Option(
      names = "--workload",
      paramLabel = "W",
      description = "rate, knee: hot (default), uniform, pool:N or zipf:EXPONENT.")
  private @Nullable String workload;

  @Option(
      names = "--accounts",
      paramLabel = "N",
      description = "rate, knee: how many accounts there are. Default: 10000.")
  private @Nullable String accounts;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "rate, knee: transfers in each operation. Default: 1.")
  private @Nullable String batch;

  @Option(
      names = "--replays",
      paramLabel = "PERCENT",
      description = "rate, knee: share of transfers that are sent a second time. Default: 0.")
  private @Nullable String replays;

  @Option(
      names = "--refusals",
      paramLabel = "PERCENT",
      description = "rate, knee: share of transfers that nobody has funds for. Default: 0.")
  private @Nullable String refusals;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description =
          "rate, knee: connections of a contender that is SQL, default 16; callers of one that is"
              + " not, default as many as --in-flight, 4000 at most.")
  private @Nullable String connections;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description =
          "rate: most operations under way; more are dropped. Default: those of a second.")
  private @Nullable String inFlight;

  /** An experiment with one arm. */
  public AtRate atRate(Guests guests) {
    refuse("rate", "--p99", "--errors-only");
    if (rate == null) {
      throw new MisuseException("--rate", "is needed: operations to offer a second");
    }
    int perSecond = Arguments.small("--rate", rate, 1, RATE_MAX);
    int places =
        inFlight == null
            ? Math.max(64, perSecond)
            : Arguments.small("--in-flight", inFlight, 1, PLACES_MAX);
    Contender contender = contender("rate", guests);
    return new AtRate(
        contender,
        workload(contender),
        new Load.Open(perSecond, evenly, places, workers(contender, places)));
  }

  /** Who is asked. */
  public Contender kneeTarget(Guests guests) {
    refuse("knee", "--rate", "--in-flight", "--evenly");
    return contender("knee", guests);
  }

  /** The promise. */
  public Criterion criterion() {
    if (errorsOnly) {
      if (p99 != null) {
        throw new MisuseException("--errors-only", "promises no time; leave out --p99 or it");
      }
      return new Criterion.ErrorsOnly();
    }
    return p99 == null
        ? Criterion.ResponseTime.USUAL
        : new Criterion.ResponseTime(Duration.ofMillis(Arguments.small("--p99", p99, 1, 60_000)));
  }

  private Contender contender(String experiment, Guests guests) {
    String wanted = target;
    if (wanted == null) {
      throw new MisuseException(
          "--target", "is needed with " + experiment + ": a contender, see partita lab list");
    }
    return Contenders.named(wanted, guests)
        .orElseThrow(
            () ->
                new MisuseException(
                    "--target", Text.quote(wanted) + " is no contender; see partita lab list"));
  }

  /** Connections, or places of contenders that need none. */
  public int workers(Contender contender, int places) {
    int most = contender.card().connectionsMax();
    if (connections == null) {
      int usual = most == Integer.MAX_VALUE ? Math.min(places, CONNECTIONS_MAX) : SQL_CONNECTIONS;
      return Math.min(usual, most);
    }
    int chosen = Arguments.small("--connections", connections, 1, CONNECTIONS_MAX);
    if (chosen > most) {
      throw new MisuseException(
          "--connections", contender.card().name() + " can use no more than " + most);
    }
    return chosen;
  }

  /** What the target is asked for. */
  public Workload workload(Contender contender) {
    int count =
        accounts == null ? 10_000 : Arguments.small("--accounts", accounts, 2, ACCOUNTS_MAX);
    Workload chosen = picks(workload == null ? "hot" : workload, count);
    if (batch != null) {
      chosen = chosen.batch(Arguments.small("--batch", batch, 1, BATCH_MAX));
    }
    chosen =
        chosen.replays(percent("--replays", replays)).refusals(percent("--refusals", refusals));
    Set<Ability> missing = EnumSet.noneOf(Ability.class);
    missing.addAll(chosen.needs());
    missing.removeAll(contender.abilities());
    if (!missing.isEmpty()) {
      throw new MisuseException(
          "--target",
          contender.card().name()
              + (missing.contains(Ability.REFUSES)
                  ? " refuses nothing: leave out --refusals"
                  : " knows no ids: leave out --replays"));
    }
    return chosen;
  }

  private static Workload picks(String text, int accounts) {
    int colon = text.indexOf(':');
    String number = colon < 0 ? "" : text.substring(colon + 1);
    return switch (colon < 0 ? text : text.substring(0, colon + 1)) {
      case "hot" -> Workload.hot(accounts);
      case "uniform" -> Workload.uniform(accounts);
      case "pool:" -> Workload.pool(accounts, Arguments.small("--workload", number, 2, accounts));
      case "zipf:" -> Workload.zipf(accounts, exponent(number));
      default ->
          throw new MisuseException(
              "--workload", Text.quote(text) + " is none of hot, uniform, pool:N, zipf:EXPONENT");
    };
  }

  private static double exponent(String text) {
    if (!text.matches("[0-9]{1,2}(\\.[0-9]{1,4})?") || Double.parseDouble(text) > 10) {
      throw new MisuseException(
          "--workload", Text.quote(text) + " is no exponent from 0 to 10, such as zipf:1.0");
    }
    return Double.parseDouble(text);
  }

  private static double percent(String option, @Nullable String text) {
    return text == null ? 0 : Arguments.small(option, text, 0, 100) / 100.0;
  }

  /** For experiments that have their arms already. */
  public void refuseAll() {
    List<String> given = words();
    if (!given.isEmpty()) {
      throw new MisuseException(given.getFirst(), "is for rate and knee only");
    }
  }

  private void refuse(String experiment, String... options) {
    for (String each : options) {
      if (words().contains(each)) {
        throw new MisuseException(each, "is not for " + experiment);
      }
    }
  }

  /** These options as they were given, for a command that repeats the run. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    add(words, "--target", target);
    add(words, "--rate", rate);
    add(words, "--p99", p99);
    add(words, "--workload", workload);
    add(words, "--accounts", accounts);
    add(words, "--batch", batch);
    add(words, "--replays", replays);
    add(words, "--refusals", refusals);
    add(words, "--connections", connections);
    add(words, "--in-flight", inFlight);
    if (evenly) {
      words.add("--evenly");
    }
    if (errorsOnly) {
      words.add("--errors-only");
    }
    return words;
  }

  private static void add(List<String> words, String option, @Nullable String value) {
    if (value != null) {
      words.add(option);
      words.add(value);
    }
  }
}
