package dev.partita.lab.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Counts and times the operations whose intended start lies in the window. Thread-safe. */
final class Tally {

  private static final int DIGITS = 3;

  /** An hour: histograms grow with what they hold, and nothing here takes so long and is well. */
  private static final long MICROS_MAX = 3_600_000_000L;

  private static final long MICRO = 1_000;
  private static final long SECOND = 1_000_000_000L;

  /** Parts of a window: enough for an interval from their percentiles. */
  private static final int PARTS = 10;

  /** How often it is looked how many operations are under way. */
  private static final int SAMPLES = 20;

  private static final int NOT_SAMPLED = -1;

  private final long beginNanos;
  private final long endNanos;
  private final LongAdder offered = new LongAdder();
  private final LongAdder dispatched = new LongAdder();
  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Recorder> responses = new EnumMap<>(Outcome.class);
  private final Recorder lags = new Recorder(DIGITS);
  private final Recorder waits = new Recorder(DIGITS);
  private final Recorder services = new Recorder(DIGITS);
  private final LongAdder committed = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final AtomicLongArray committedBySecond;
  private final List<Recorder> answersByPart = new ArrayList<>();
  private final LongAdder answeredMeanwhile = new LongAdder();
  private final LongAdder clamped = new LongAdder();

  /** Written by the one thread that offers, read when it is done. */
  private final int[] underWay = new int[SAMPLES];

  /** For operations meant to begin from one instant of {@code System.nanoTime} to another. */
  Tally(long beginNanos, long endNanos) {
    this.beginNanos = beginNanos;
    this.endNanos = endNanos;
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
      responses.put(outcome, new Recorder(DIGITS));
    }
    this.committedBySecond =
        new AtomicLongArray((int) ((endNanos - beginNanos + SECOND - 1) / SECOND));
    for (int i = 0; i < PARTS; i++) {
      answersByPart.add(new Recorder(DIGITS));
    }
    Arrays.fill(underWay, NOT_SAMPLED);
  }

  /** Whether an intended start lies in the window. */
  boolean covers(long intendedNanos) {
    return intendedNanos - beginNanos >= 0 && intendedNanos - endNanos < 0;
  }

  /** An operation was due. */
  void offered(long intended) {
    if (covers(intended)) {
      offered.increment();
    }
  }

  /** So many were under way when this one was due; of those in one slot the first is kept. */
  void underWay(long intended, int count) {
    if (covers(intended)) {
      int slot = part(intended, SAMPLES);
      if (underWay[slot] == NOT_SAMPLED) {
        underWay[slot] = count;
      }
    }
  }

  /** It found a place. */
  void dispatched(long intended) {
    if (covers(intended)) {
      dispatched.increment();
    }
  }

  /** It found no place. */
  void dropped(long intended) {
    if (covers(intended)) {
      count(Outcome.DROPPED).increment();
    }
  }

  /** It was not over when the run was. */
  void unfinished(long intended) {
    if (covers(intended)) {
      count(Outcome.UNFINISHED).increment();
    }
  }

  /** It is over. */
  void ended(Span span, Answer answer) {
    boolean answered = answer.outcome().isAnswer();
    if (answered && covers(span.ended())) {
      answeredMeanwhile.increment();
    }
    if (!covers(span.intended())) {
      return;
    }
    count(answer.outcome()).increment();
    long response = micros(span.ended() - span.intended());
    recorder(answer.outcome()).recordValue(response);
    if (answered) {
      answersByPart.get(part(span.intended(), PARTS)).recordValue(response);
    }
    lags.recordValue(micros(span.dispatched() - span.intended()));
    waits.recordValue(micros(span.begun() - span.dispatched()));
    services.recordValue(micros(span.ended() - span.begun()));
    committed.add(answer.committed());
    rejected.add(answer.rejected());
    replayed.add(answer.replayed());
    committedBySecond.addAndGet(
        (int) ((span.intended() - beginNanos) / SECOND), answer.committed());
  }

  /** In which of so many equal parts of the window an instant of it lies. */
  private int part(long instant, int parts) {
    return (int) ((double) (instant - beginNanos) * parts / (endNanos - beginNanos));
  }

  private LongAdder count(Outcome outcome) {
    return outcomes.computeIfAbsent(outcome, each -> new LongAdder());
  }

  private Recorder recorder(Outcome outcome) {
    return responses.computeIfAbsent(outcome, each -> new Recorder(DIGITS));
  }

  private long micros(long nanos) {
    long micros = Math.max(0, nanos) / MICRO;
    if (micros > MICROS_MAX) {
      clamped.increment();
      return MICROS_MAX;
    }
    return micros;
  }

  /** What was measured, of callers of whom each has one operation under way. */
  Measured measured(String loop) {
    return measured(loop, 0);
  }

  /** What was measured; once, when nothing is under way any more. */
  Measured measured(String loop, int underWayMax) {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    Map<Outcome, Histogram> histograms = new EnumMap<>(Outcome.class);
    outcomes.forEach((outcome, count) -> counts.put(outcome, count.sum()));
    responses.forEach(
        (outcome, recorder) -> histograms.put(outcome, recorder.getIntervalHistogram()));
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < committedBySecond.length(); i++) {
      seconds.add(committedBySecond.get(i));
    }
    return new Measured(
        loop,
        endNanos - beginNanos,
        offered.sum(),
        dispatched.sum(),
        counts,
        histograms,
        lags.getIntervalHistogram(),
        waits.getIntervalHistogram(),
        services.getIntervalHistogram(),
        committed.sum(),
        rejected.sum(),
        replayed.sum(),
        seconds,
        course(underWayMax));
  }

  private Course course(int underWayMax) {
    List<Histogram> responsesByPart = new ArrayList<>();
    answersByPart.forEach(part -> responsesByPart.add(part.getIntervalHistogram()));
    List<Integer> samples = new ArrayList<>();
    for (int sample : underWay) {
      if (sample != NOT_SAMPLED) {
        samples.add(sample);
      } else if (!samples.isEmpty()) {
        // Nothing was due in this slot, so nothing was added to what was under way.
        samples.add(samples.getLast());
      }
    }
    return new Course(
        responsesByPart, samples, underWayMax, answeredMeanwhile.sum(), clamped.sum());
  }

  /**
   * When an operation passed its stations, all of {@code System.nanoTime}.
   *
   * @param intended when it was meant to begin
   * @param dispatched when it found a place among those under way
   * @param begun when it had its connection
   * @param ended when its end was known
   */
  record Span(long intended, long dispatched, long begun, long ended) {}
}
