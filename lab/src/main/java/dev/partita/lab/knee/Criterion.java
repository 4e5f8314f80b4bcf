package dev.partita.lab.knee;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A promise whose limit is sought. Whatever else is promised, at most one operation in a thousand
 * goes without an answer, answers keep up with what is offered, and what is under way does not
 * grow: without the last two, how much passes would depend on how large the queues are and how
 * short the window is.
 */
public sealed interface Criterion {

  /** What a report says of it. */
  String title();

  /** The response time in microseconds that is the limit, if there is one. */
  OptionalDouble limitMicros();

  /** What is made of a probe. */
  Judgement judge(ProbeFacts facts);

  /**
   * The 99th percentile of the response times of all answers, timed from the intended start, is at
   * most so long. A probe passes or fails only if the interval of confidence of its percentile lies
   * on one side of the limit.
   *
   * @param p99Max 1 µs or more
   */
  record ResponseTime(Duration p99Max) implements Criterion {

    private static final double CONFIDENCE = 0.95;

    /** The promise that is usual here: 20 ms. */
    public static final ResponseTime USUAL = new ResponseTime(Duration.ofMillis(20));

    /** Checks the range. */
    public ResponseTime {
      if (p99Max.toNanos() < 1_000) {
        throw new IllegalArgumentException("p99Max must be 1 µs or more, was " + p99Max);
      }
    }

    @Override
    public String title() {
      return "p99 ≤ " + millis(micros()) + ", errors ≤ 0.1 %";
    }

    @Override
    public OptionalDouble limitMicros() {
      return OptionalDouble.of(micros());
    }

    private double micros() {
      return p99Max.toNanos() / 1e3;
    }

    @Override
    public Judgement judge(ProbeFacts facts) {
      Judgement others = Overload.judge(facts);
      if (others.verdict() != Verdict.PASS) {
        return others;
      }
      if (facts.p99MicrosByPart().size() < 2) {
        return Judgement.invalid("too few answers to tell how sure their p99 is");
      }
      double limit = micros();
      Interval interval =
          LogInterval.around(facts.p99Micros(), facts.p99MicrosByPart(), CONFIDENCE);
      String reason =
          "p99 %s (%s to %s), limit %s"
              .formatted(
                  millis(facts.p99Micros()),
                  millis(interval.low()),
                  millis(interval.high()),
                  millis(limit));
      if (interval.high() <= limit) {
        return Judgement.pass(reason);
      }
      if (interval.low() > limit) {
        return Judgement.fail(reason);
      }
      return new Judgement(Verdict.AMBIGUOUS, facts.p99Micros() <= limit, reason);
    }

    private static String millis(double micros) {
      return String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
    }
  }

  /** No limit to response times: how much is answered at all. */
  record ErrorsOnly() implements Criterion {

    @Override
    public String title() {
      return "errors ≤ 0.1 %, whatever the response time";
    }

    @Override
    public OptionalDouble limitMicros() {
      return OptionalDouble.empty();
    }

    @Override
    public Judgement judge(ProbeFacts facts) {
      return Overload.judge(facts);
    }
  }
}
