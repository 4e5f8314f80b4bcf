package dev.partita.lab.result;

import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Outcome;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long operations of a cell took, and where.
 *
 * @param response from intended start to known end, of all that were answered: the only time that
 *     may be called latency, and only in an open loop
 * @param byOutcome the same by the name of the outcome, failures too, without curves
 * @param lag from intended start to dispatch: the generator's own lateness, without a curve
 * @param poolWait from dispatch to having a connection, without a curve
 * @param service from having a connection to known end, without a curve where it is the response's
 */
public record Latencies(
    Times response, Map<String, Times> byOutcome, Times lag, Times poolWait, Times service) {

  /** Takes a copy. */
  public Latencies {
    byOutcome = Collections.unmodifiableMap(new TreeMap<>(byOutcome));
  }

  /** Of a measurement. */
  public static Latencies of(Measured measured) {
    Map<String, Times> byOutcome = new TreeMap<>();
    for (Outcome each : Outcome.values()) {
      if (measured.count(each) > 0 && measured.responses().containsKey(each)) {
        byOutcome.put(each.name(), Times.of(measured.responses().get(each)).withoutCurve());
      }
    }
    Times response = Times.of(measured.answered());
    Times service = Times.of(measured.services());
    return new Latencies(
        response,
        byOutcome,
        Times.of(measured.lags()).withoutCurve(),
        Times.of(measured.waits()).withoutCurve(),
        service.curve().equals(response.curve()) ? service.withoutCurve() : service);
  }
}
