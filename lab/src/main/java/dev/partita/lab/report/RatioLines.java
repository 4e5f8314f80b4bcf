package dev.partita.lab.report;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Setup;
import dev.partita.lab.result.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ratios as lines of text, those of which a figure is wanted first. Ratios of the same two series
 * at several places of the axis share a line.
 */
final class RatioLines {

  private final Run run;

  private RatioLines(Run run) {
    this.run = run;
  }

  static List<String> of(Run run) {
    RatioLines lines = new RatioLines(run);
    Map<String, List<Ratio>> groups = new LinkedHashMap<>();
    run.ratios().stream()
        .sorted(Comparator.comparing(each -> each.wanted().isEmpty()))
        .forEach(
            each -> groups.computeIfAbsent(lines.group(each), name -> new ArrayList<>()).add(each));
    List<String> written = new ArrayList<>();
    groups.forEach(
        (name, ratios) ->
            written.add(ratios.size() == 1 ? one(ratios.getFirst()) : lines.several(name, ratios)));
    return written;
  }

  /** What ratios on one line have in common: both series, and whether something is wanted. */
  private String group(Ratio ratio) {
    boolean plain = ratio.name().equals(ratio.arm() + " / " + ratio.against());
    Setup arm = setup(ratio.arm());
    Setup against = setup(ratio.against());
    if (!plain || arm == null || against == null || arm.x() == null) {
      return ratio.name();
    }
    return arm.series() + " / " + against.series() + (ratio.wanted().isEmpty() ? " " : "");
  }

  private static String one(Ratio ratio) {
    if (!Double.isFinite(ratio.median())) {
      return ratio.name() + ": " + Numbers.NONE;
    }
    Spread spread = Spread.of(ratio.perBlock());
    String wanted = ratio.wanted().isEmpty() ? "" : ", wanted " + ratio.wanted();
    return "%s: %s (%s–%s)%s"
        .formatted(
            ratio.name(),
            Numbers.ratio(ratio.median()),
            Numbers.ratio(spread.min()),
            Numbers.ratio(spread.max()),
            wanted);
  }

  private String several(String name, List<Ratio> ratios) {
    String places =
        ratios.stream().map(each -> Numbers.plain(x(each))).collect(Collectors.joining(", "));
    String figures =
        ratios.stream().map(each -> Numbers.ratio(each.median())).collect(Collectors.joining(", "));
    String wanted = ratios.stream().map(Ratio::wanted).collect(Collectors.joining(", "));
    String beginning = "at least ";
    boolean least = ratios.stream().allMatch(each -> each.wanted().startsWith(beginning));
    if (least) {
      wanted = beginning + wanted.replace(beginning, "");
    }
    return name.strip()
        + " at "
        + places
        + ": "
        + figures
        + (ratios.getFirst().wanted().isEmpty() ? "" : "; wanted " + wanted);
  }

  private double x(Ratio ratio) {
    Setup setup = setup(ratio.arm());
    Double x = setup == null ? null : setup.x();
    return x == null ? Double.NaN : x;
  }

  private @Nullable Setup setup(String arm) {
    return run.cells().stream()
        .filter(each -> each.arm().equals(arm))
        .map(Cell::setup)
        .findFirst()
        .orElse(null);
  }
}
