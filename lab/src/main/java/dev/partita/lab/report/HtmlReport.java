package dev.partita.lab.report;

import dev.partita.lab.result.About;
import dev.partita.lab.result.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A run as one page that needs nothing else: script, style and data are in it, and it tells the
 * browser to load nothing and to run no script but its own two. Safe for use by many threads.
 */
public final class HtmlReport {

  private HtmlReport() {}

  /** The page. */
  public static String of(Run run) {
    List<Arm> arms = Arm.of(run);
    Styles styles = new Styles(arms);
    Plots plots = new Plots(run, arms, styles);
    PlotMarkup drawings = new PlotMarkup();
    Map<String, String> values = new HashMap<>();
    library(values);
    opening(run, values);
    String goodputTable = "Goodput: transfers made a second";
    String timesTable = "Response times";
    put(values, "goodput-plots", drawings.figures(plots.goodput(), goodputTable));
    put(values, "bars", bars(run, plots, styles));
    put(values, "latency-plots", drawings.figures(plots.latency(), timesTable));
    put(values, "ratios", Comparison.forest(run.ratios()));
    put(values, "goodput", arms.isEmpty() ? new Markup() : ArmTables.goodput(arms));
    put(values, "times", arms.isEmpty() ? new Markup() : ArmTables.times(arms));
    put(values, "uneventful", ArmTables.uneventful(arms));
    put(values, "waiting", ArmTables.waiting(arms));
    put(values, "outcomes", ArmTables.outcomes(arms));
    put(values, "waits", Waits.bars(arms));
    put(values, "figures", FigureTables.of(arms));
    put(values, "seconds", drawings.figures(plots.seconds(), goodputTable));
    put(values, "percentiles", drawings.figures(plots.percentiles(), timesTable));
    put(values, "turns", ArmTables.turns(arms));
    put(values, "cards", Facts.cards(run.cards(), arms));
    put(values, "alarms", Proof.alarms(run));
    put(values, "checks", Proof.checks(run));
    put(values, "gates", Proof.gates(run));
    put(values, "again", Facts.again(run));
    values.put("data", drawings.data());
    return Template.named("report.html").filled(values);
  }

  /** Arms where many are at one place, and arms that are on no axis. */
  private static Markup bars(Run run, Plots plots, Styles styles) {
    Markup html = new Markup();
    List<Arm> crowd = plots.crowd();
    if (!crowd.isEmpty()) {
      String place = Numbers.plain(crowd.getFirst().x().orElseThrow());
      String caption = "Goodput at " + place + " " + run.about().xAxis();
      html.add(Comparison.bars(caption, crowd, styles));
    }
    List<Arm> beside = plots.beside();
    if (!beside.isEmpty()) {
      html.add(Comparison.bars("Goodput of each arm", beside, styles));
    }
    return html;
  }

  /** Writes the page to a file, in place of what is there. */
  public static void write(Run run, Path file) throws IOException {
    Files.writeString(file, of(run));
  }

  private static void opening(Run run, Map<String, String> values) {
    About about = run.about();
    values.put("experiment", Markup.escaped(about.experiment()));
    values.put("title", Markup.escaped(about.title()));
    values.put("profile", Markup.escaped(about.profile()));
    values.put("started", Markup.escaped(about.started().replace('T', ' ').replace("Z", " UTC")));
    values.put("version", Markup.escaped(about.version()));
    values.put("verdict", run.verdict().name());
    values.put("meaning", Opening.meaning(run.verdict()));
    values.put("void", run.verdict().usable() ? "" : "This run is invalid: no figure may be used.");
    values.put("summary", Markup.escaped(run.summary()));
    values.put("claim", Markup.escaped(about.claim()));
    values.put("expected", Markup.escaped(about.expected()));
    put(values, "failed", Opening.failedGates(run));
    put(values, "findings", Opening.findings(run.findings()));
    put(values, "warnings", Facts.warnings(run));
    put(values, "panels", Facts.panels(run, Arm.of(run)));
  }

  private static void library(Map<String, String> values) {
    Uplot uplot = Uplot.onClassPath();
    String script = Template.resource("report.js").strip();
    values.put("uplot-version", uplot.version());
    values.put("uplot-script", uplot.script());
    values.put("uplot-style", uplot.style());
    values.put("uplot-licence", Markup.escaped(uplot.licence()));
    values.put("style", Template.resource("report.css").strip());
    values.put("script", script);
    values.put(
        "policy",
        "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline';"
            + " script-src %s %s".formatted(hash(uplot.script()), hash(script)));
  }

  private static void put(Map<String, String> values, String name, Markup markup) {
    values.put(name, markup.toString());
  }

  /** How a page names a script that it allows. */
  private static String hash(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
