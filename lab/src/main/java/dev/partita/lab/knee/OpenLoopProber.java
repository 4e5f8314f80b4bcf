package dev.partita.lab.knee;

import dev.partita.lab.arrival.Arrivals;
import dev.partita.lab.load.Measured;
import dev.partita.lab.load.OpenLoop;
import dev.partita.lab.load.Window;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Probes a target with the open loop and Poisson arrivals. A generator that comes late is a
 * complaint about the client.
 */
public final class OpenLoopProber implements Prober {

  private static final int UNDER_WAY_MIN = 64;
  private static final double PERCENTILE = 99;

  private final Rigs rigs;
  private final Settings settings;

  /**
   * What is the same for all probes.
   *
   * @param window of each
   * @param workerWait how long an operation waits for a worker; as many operations may be under way
   *     as come in a second
   * @param settle from an overload until the window that must be borne again, at most 30 s
   * @param lagMax how late the 99th percentile of operations may be offered: 1 ms, or a twentieth
   *     of the response time that is promised
   */
  public record Settings(Window window, Duration workerWait, Duration settle, Duration lagMax) {

    /** With the limits that are usual here. */
    public static Settings of(Window window) {
      return new Settings(
          window, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(1));
    }
  }

  /**
   * A prober.
   *
   * @param rigs make a target ready for each probe
   */
  public OpenLoopProber(Rigs rigs, Settings settings) {
    this.rigs = rigs;
    this.settings = settings;
  }

  @Override
  public ProbeFacts probe(double rate, long seed) throws InterruptedException {
    SplittableRandom seeds = new SplittableRandom(seed);
    Arrivals arrivals = Arrivals.poisson(rate, seeds.nextLong());
    return offer(
        new Rigs.Ask(rate, placesFor(rate), settings.window(), false, seeds.nextLong()), arrivals);
  }

  @Override
  public ProbeFacts recover(double overload, double rate, long seed) throws InterruptedException {
    SplittableRandom seeds = new SplittableRandom(seed);
    Window window = settings.window();
    Arrivals arrivals =
        new TwoRates(
            Arrivals.poisson(overload, seeds.nextLong()),
            window.length().toNanos(),
            Arrivals.poisson(rate, seeds.nextLong()));
    Window later =
        new Window(window.length().plus(settings.settle()), window.length(), window.drain());
    return offer(new Rigs.Ask(rate, placesFor(overload), later, true, seeds.nextLong()), arrivals);
  }

  private static int placesFor(double rate) {
    return Math.max(UNDER_WAY_MIN, (int) Math.ceil(rate));
  }

  private ProbeFacts offer(Rigs.Ask ask, Arrivals arrivals) throws InterruptedException {
    try (Rig rig = rigs.ready(ask)) {
      Measured measured =
          OpenLoop.run(
              rig.workers(),
              rig.source(),
              arrivals,
              new OpenLoop.Limits(ask.places(), settings.workerWait()),
              ask.window(),
              rig.observer());
      String complaint = rig.complaint(measured);
      String late = lateness(measured);
      return ProbeFacts.of(ask.rate(), measured, late == null ? complaint : late);
    } catch (IllegalStateException e) {
      return ProbeFacts.nothing(ask.rate(), String.valueOf(e.getMessage()));
    }
  }

  private @Nullable String lateness(Measured measured) {
    double lagMicros = measured.lags().getValueAtPercentile(PERCENTILE);
    double maxMicros = settings.lagMax().toNanos() / 1e3;
    return lagMicros > maxMicros
        ? String.format(
            Locale.ROOT,
            "the generator was late: p99 %.1f ms, limit %.1f ms",
            lagMicros / 1e3,
            maxMicros / 1e3)
        : null;
  }

  /** One schedule until a time, and another one from then on. For one thread. */
  private static final class TwoRates implements Arrivals {
    private final Arrivals first;
    private final long changeNanos;
    private final Arrivals second;
    private boolean changed;

    TwoRates(Arrivals first, long changeNanos, Arrivals second) {
      this.first = first;
      this.changeNanos = changeNanos;
      this.second = second;
    }

    @Override
    public long nextNanos() {
      if (!changed) {
        long at = first.nextNanos();
        if (at < changeNanos) {
          return at;
        }
        changed = true;
      }
      return changeNanos + second.nextNanos();
    }

    @Override
    public String describe() {
      return first.describe() + ", then fewer of them";
    }
  }
}
