package dev.partita.lab.knee;

import dev.partita.lab.load.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * A queue in front of servers, first come, first served, in virtual time, with Poisson arrivals.
 * Who waits longer than a second goes away unserved. All times are in seconds.
 */
final class VirtualTarget implements Prober {

  private static final double WARM_UP = 2;
  private static final double SETTLE = 30;
  private static final double PATIENCE = 1;
  private static final int PARTS = 10;
  private static final int SAMPLES = 20;
  private static final long LONGEST_MICROS = 10_000_000;

  private final int servers;
  private final double length;
  private final IntFunction<Service> services;
  private final double generatorMax;
  private int probes;

  /** How long one operation takes. */
  @FunctionalInterface
  interface Service {
    /** When an operation is done that a server begins with now. */
    double end(double begin, SplittableRandom random);
  }

  /** Service as made for each probe, by its number from 0. */
  VirtualTarget(int servers, double length, IntFunction<Service> services, double generatorMax) {
    this.servers = servers;
    this.length = length;
    this.services = services;
    this.generatorMax = generatorMax;
  }

  static VirtualTarget of(int servers, double length, Service service) {
    return new VirtualTarget(servers, length, probe -> service, Double.POSITIVE_INFINITY);
  }

  /** Exponential service with this rate. */
  static Service exponential(double rate) {
    return (begin, random) -> begin + random.nextExponential() / rate;
  }

  @Override
  public ProbeFacts probe(double rate, long seed) {
    return offer(rate, rate, WARM_UP, WARM_UP, seed);
  }

  @Override
  public ProbeFacts recover(double overload, double rate, long seed) {
    return offer(overload, rate, length, length + SETTLE, seed);
  }

  private ProbeFacts offer(double first, double rate, double change, double begin, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Service service = services.apply(probes++);
    double[] free = new double[servers];
    Window window = new Window(begin, begin + length);
    double at = 0;
    while (true) {
      at += random.nextExponential() / (at < change ? first : rate);
      if (at >= window.end) {
        break;
      }
      int server = earliest(free);
      double start = Math.max(at, free[server]);
      if (start - at > PATIENCE) {
        window.timedOut(at);
      } else {
        free[server] = service.end(start, random);
        window.ended(at, free[server]);
      }
    }
    return window.facts(rate, rate > generatorMax ? "the generator was late" : null);
  }

  private static int earliest(double[] free) {
    int earliest = 0;
    for (int i = 1; i < free.length; i++) {
      if (free[i] < free[earliest]) {
        earliest = i;
      }
    }
    return earliest;
  }

  /** What the generator's own window records, without its threads. */
  private static final class Window {
    private final double begin;
    private final double end;
    private final Histogram[] parts = new Histogram[PARTS];
    private final int[] underWay = new int[SAMPLES];

    /** The part in which the last one began, when it ends, and the sample that comes next. */
    private int part;

    private double partEnd;
    private int sample;
    private long offered;
    private long timeouts;
    private long answeredMeanwhile;

    Window(double begin, double end) {
      this.begin = begin;
      this.end = end;
      Arrays.setAll(parts, part -> new Histogram(LONGEST_MICROS, 3));
      partEnd = begin + (end - begin) / PARTS;
    }

    void timedOut(double intended) {
      if (intended >= begin) {
        offered++;
        timeouts++;
      }
    }

    void ended(double intended, double ended) {
      if (ended >= begin && ended < end) {
        answeredMeanwhile++;
      }
      while (sample < SAMPLES && sampleAt(sample) < intended) {
        sample++;
      }
      for (int i = sample; i < SAMPLES && sampleAt(i) < ended; i++) {
        underWay[i]++;
      }
      if (intended >= begin) {
        offered++;
        while (intended >= partEnd && part < PARTS - 1) {
          part++;
          partEnd = begin + (part + 1) * (end - begin) / PARTS;
        }
        parts[part].recordValue((long) ((ended - intended) * 1e6));
      }
    }

    private double sampleAt(int number) {
      return begin + number * (end - begin) * (1.0 / SAMPLES);
    }

    ProbeFacts facts(double rate, String complaint) {
      Histogram all = new Histogram(LONGEST_MICROS, 3);
      List<Double> p99s = new ArrayList<>();
      for (Histogram part : parts) {
        all.add(part);
        if (part.getTotalCount() > 0) {
          p99s.add((double) part.getValueAtPercentile(99));
        }
      }
      return new ProbeFacts(
          rate,
          offered,
          answeredMeanwhile,
          timeouts > 0 ? Map.of(Outcome.TIMEOUT, timeouts) : Map.of(),
          all.getValueAtPercentile(99),
          p99s,
          Arrays.stream(underWay).boxed().toList(),
          Math.max(64, (int) Math.ceil(rate)),
          complaint);
    }
  }
}
