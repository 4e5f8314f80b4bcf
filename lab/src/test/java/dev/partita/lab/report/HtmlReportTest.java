package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Run;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HtmlReportTest {

  private static final Pattern SCRIPT = Pattern.compile("(?s)<script([^>]*)>(.*?)</script>");
  private static final Pattern STYLE = Pattern.compile("(?s)<style>.*?</style>");

  @Test
  void needsNothingFromOutside() {
    String page = HtmlReport.of(Runs.hot());
    hasNot(page, "<link", "<img", "<iframe", "@import", "url(", " src=");
    has(page, "default-src 'none'");
    String shown = STYLE.matcher(SCRIPT.matcher(page).replaceAll("")).replaceAll("");
    hasNot(shown, "http:", "https:");
    assertThat(Pattern.compile("href=\"(?!#)").matcher(shown).find()).isFalse();
  }

  @Test
  void letsOnlyItsOwnScriptsRun() throws Exception {
    String page = HtmlReport.of(Runs.invalid());
    List<String> scripts = scripts(page, "");
    assertThat(scripts).hasSize(2);
    for (String each : scripts) {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(each.getBytes(StandardCharsets.UTF_8));
      String hash = "sha256-" + Base64.getEncoder().encodeToString(digest);
      has(page, "'" + hash + "'");
    }
  }

  @Test
  void saysTheVerdictBeforeAnyFigure() {
    String page = body(HtmlReport.of(Runs.invalid()));
    int verdict = page.indexOf("No figure on this page may be used");
    assertThat(verdict).isPositive().isLessThan(page.indexOf("23,280"));
    assertThat(page.indexOf("93 % CPU")).isGreaterThan(verdict).isLessThan(page.indexOf("<main>"));
    has(page, "INDETERMINATE 2, TIMEOUT 31");
  }

  @Test
  void showsEverythingThatTheRunHolds() {
    for (Run run : List.of(Runs.hot(), Runs.invalid(), Runs.emulated(), Runs.open())) {
      String page = body(HtmlReport.of(run));
      List<String> facts = new ArrayList<>();
      for (Cell cell : run.cells()) {
        facts.add(cell.arm());
        cell.figures().forEach(each -> facts.addAll(List.of(each.name(), each.note())));
        cell.gates().forEach(each -> facts.addAll(List.of(each.id(), each.what())));
        cell.gates().forEach(each -> facts.addAll(List.of(each.observed(), each.threshold())));
        cell.checks().forEach(each -> facts.addAll(List.of(each.name(), each.what())));
        cell.checks().forEach(each -> facts.addAll(each.examples()));
        facts.addAll(cell.counts().outcomes().keySet().stream().skip(1).toList());
        facts.add(cell.setup().emulation());
        facts.add(cell.setup().loop());
      }
      run.ratios().forEach(each -> facts.addAll(List.of(each.name(), each.wanted())));
      run.findings().forEach(each -> facts.addAll(List.of(each.what(), each.observed())));
      run.cards().forEach(each -> facts.addAll(List.of(each.name(), each.what(), each.lacks())));
      run.cards().forEach(each -> each.statements().forEach(sql -> facts.add(sql.strip())));
      run.place().durability().forEach((name, value) -> facts.addAll(List.of(name, value)));
      run.place().baselines().forEach(each -> facts.addAll(List.of(each.name(), each.note())));
      facts.addAll(run.place().warnings());
      facts.addAll(List.of(run.summary(), run.about().command(), run.about().claim()));
      facts.removeIf(each -> ArmTables.TURNS.contains(each) || each.startsWith("turns "));
      facts.forEach(each -> has(page, Markup.escaped(each)));
    }
  }

  @Test
  void standsRunsThatMeasuredNothing() {
    for (Run run : List.of(Runs.dead(), Runs.empty())) {
      String page = HtmlReport.of(run);
      has(page, Markup.escaped(run.summary()));
      hasNot(body(page), "NaN", "Infinity");
      has(TextReport.of(run, "here", 80), run.summary());
      has(ReadmeTable.of(run), "INVALID: ");
    }
    assertThat(plots(Runs.dead()).valueStream().map(each -> each.get("title").asString()))
        .containsExactly("naive@1", "naive@64");
  }

  @Test
  void takesEveryTextAsText() {
    String hostile = "<b>\"' onload='x' {{summary}} $1 \\</script><script>alert(1)</script>\u0000";
    String page = HtmlReport.of(Runs.hostile(hostile));
    has(page, "&lt;b&gt;&quot;&#39; onload=&#39;x&#39; {{summary}} $1 \\");
    hasNot(page, "<b>\"", "<script>alert", "\u0000");
    hasNot(body(page), "' onload");
    assertThat(scripts(page, "")).hasSize(2).noneMatch(each -> each.contains("alert(1)"));
  }

  @Test
  void givesTheScriptItsDataUnharmed() {
    String hostile = "</script><!-- & \u2028";
    JsonNode plots = plots(Runs.hostile(hostile));
    hasNot(scripts(HtmlReport.of(Runs.hostile(hostile)), "json").getFirst(), "<", "&");
    assertThat(plots.get(0).get("title").asString()).isEqualTo(hostile);
  }

  @Test
  void plotsWhatWasEmulatedApart() {
    JsonNode plots = plots(Runs.emulated());
    assertThat(plots.get(0).get("title").asString()).isEqualTo("Goodput over callers");
    assertThat(plots.get(1).get("title").asString())
        .isEqualTo("Goodput over callers, emulated: commit takes 8 ms longer");
    for (JsonNode plot : List.of(plots.get(0), plots.get(1))) {
      List<String> lines = new ArrayList<>();
      plot.get("lines").forEach(each -> lines.add(each.get("name") + " " + each.get("mark")));
      assertThat(lines)
          .containsExactly(
              "\"naive\" \"dots\"",
              "\"naive\" \"dots\"",
              "\"naive\" \"dots\"",
              "\"naive\" \"line\"",
              "\"partita\" \"dots\"",
              "\"partita\" \"dots\"",
              "\"partita\" \"dots\"",
              "\"partita\" \"line\"");
    }
  }

  @Test
  void claimsLatencyOnlyInAnOpenLoop() {
    has(body(HtmlReport.of(Runs.hot())), "(closed loop: no latency claim)");
    hasNot(body(HtmlReport.of(Runs.open())), "no latency claim");
  }

  @Test
  void withholdsPercentilesOfTooFewTimes() {
    Cell few = new CellBuilder("naive", 1).goodput(150).build(1);
    String table = ArmTables.times(List.of(new Arm("naive@1", List.of(few)))).toString();
    assertThat(table).contains(">3,000<");
    assertThat(Pattern.compile("class=\"number uncertain\"").matcher(table).results()).hasSize(4);
    assertThat(Pattern.compile("class=\"number\">–<").matcher(table).results()).hasSize(1);
  }

  /** Says what is missing without printing the whole page. */
  private static void has(String page, String text) {
    assertThat(page.contains(text)).as("page has: " + text).isTrue();
  }

  private static void hasNot(String page, String... texts) {
    for (String each : texts) {
      assertThat(page.contains(each)).as("page has: " + each).isFalse();
    }
  }

  private static JsonNode plots(Run run) {
    return JsonMapper.builder().build().readTree(scripts(HtmlReport.of(run), "json").getFirst());
  }

  /** Contents of script elements whose attributes end so. */
  private static List<String> scripts(String page, String type) {
    List<String> found = new ArrayList<>();
    Matcher each = SCRIPT.matcher(page);
    while (each.find()) {
      if (type.isEmpty() ? each.group(1).isEmpty() : each.group(1).contains(type)) {
        found.add(each.group(2));
      }
    }
    return found;
  }

  private static String body(String page) {
    return SCRIPT.matcher(page.substring(page.indexOf("<body"))).replaceAll("");
  }
}
