package dev.partita.lab.report;

import dev.partita.lab.contender.Card;
import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.result.About;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Place;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Spread;
import dev.partita.lab.result.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs that reports are tried on. */
final class Runs {

  private static final int BLOCKS = 3;

  /** How blocks differ on a machine that others use too. */
  private static final double[] BLOCK_FACTORS = {1.0, 0.94, 1.05};

  private static final String SLOW_COMMIT = "commit takes 8 ms longer";

  private Runs() {}

  /** The hot row, callers from 1 to 4,000. */
  static Run hot() {
    List<Cell> cells = new ArrayList<>();
    for (int block = 1; block <= BLOCKS; block++) {
      for (int callers : new int[] {1, 4, 16, 64, 1_000, 4_000}) {
        if (callers <= 64) {
          add(cells, hotCell("naive", callers, block, 1_150 / (1 + callers / 400.0)));
          add(cells, hotCell("one-statement", callers, block, 2_150 / (1 + callers / 500.0)));
        }
        double together = Math.min(callers, 2_000);
        double partita = 1_450 * Math.pow(together, 0.76) / (1 + together / 700);
        add(cells, hotCell("partita", callers, block, partita));
        add(cells, hotCell("ceiling", callers, block, partita / (0.84 - callers / 16_000.0)));
      }
    }
    return run(
        about("hot", "One row hands out turns", "callers", cells),
        cells,
        hotRatios(cells),
        List.of(
            new Finding(
                "One row, updated by a transaction of its own for each transfer, allows about as"
                    + " many transfers a second as one connection does",
                "shown if 64 connections do less than 1.5× what one does; refuted above 3×",
                "0.87× (0.87–0.87)",
                Finding.Outcome.SHOWN),
            new Finding(
                "Partita makes at least 20 times as many at 64 callers",
                "shown at a median of 20× and every block above 15×; refuted below 10×",
                "31× in the median, 14× in one block",
                Finding.Outcome.UNCLEAR),
            new Finding(
                "Partita is faster than one statement at a single caller",
                "shown above 1.0×, refuted below 0.9×",
                "0.67×",
                Finding.Outcome.REFUTED)),
        Verdict.VALID,
        "With 64 callers on one account Partita made 31,000 transfers a second and the interactive"
            + " transaction 990, on the same database in the same minute.");
  }

  /** The generator was not healthy in one block, and the books of another did not add up. */
  static Run invalid() {
    List<Cell> cells = new ArrayList<>();
    for (int block = 1; block <= 2; block++) {
      add(cells, hotCell("partita", 64, block, 24_000));
      CellBuilder naive = hotCell("naive", 64, block, 1_020);
      if (block == 2) {
        naive.gate(
            new GateResult(
                "G06", "client health", "93 % CPU", "≤ 80 % CPU", false, Verdict.INVALID));
        naive.gate(
            new GateResult(
                "G02", "reconciliation", "R3 broken", "all pass", false, Verdict.INVALID));
        naive.check(
            new CheckResult(
                "R11",
                "no foreign transfers",
                2,
                List.of("7b1e… 5 → 9, 250", "90aa… 5 → 2, 250"),
                ""));
        naive.failing(Outcome.TIMEOUT, 31).failing(Outcome.INDETERMINATE, 2);
      }
      add(cells, naive);
    }
    return run(
        about("hot", "One row hands out turns", "callers", cells),
        cells,
        List.of(ratio("Partita against naive", "partita@64", "naive@64", cells, "≥ 20×")),
        List.of(
            new Finding(
                "Partita is 20 times as fast",
                "shown at 20×",
                "not judged: the run is invalid",
                Finding.Outcome.NOT_JUDGED)),
        Verdict.INVALID,
        "The load generator was short of CPU and two transfers that nobody asked for were stored:"
            + " no figure may be used.");
  }

  /** The same arms with and without a slower commit, and two that stand beside. */
  static Run emulated() {
    List<Cell> cells = new ArrayList<>();
    for (int block = 1; block <= BLOCKS; block++) {
      for (int callers : new int[] {1, 8, 64}) {
        add(cells, hotCell("naive", callers, block, 1_100));
        add(cells, hotCell("partita", callers, block, 1_400 * Math.pow(callers, 0.8)));
        CellBuilder slow = hotCell("naive", callers, block, 110).emulated(SLOW_COMMIT);
        add(cells, slow.named("naive@" + callers + " slow commit"));
        slow = hotCell("partita", callers, block, 118 * Math.pow(callers, 0.97));
        add(cells, slow.emulated(SLOW_COMMIT).named("partita@" + callers + " slow commit"));
      }
      add(cells, hotCell("sub-accounts", 64, block, 8_300).named("64 sub-accounts").at(null));
      add(cells, hotCell("entries-only", 64, block, 9_400).named("entries only").at(null));
    }
    return run(
        about("commit", "What a slow commit costs", "callers", cells),
        cells,
        List.of(
            ratio(
                "slow commit, 64 callers",
                "partita@64 slow commit",
                "naive@64 slow commit",
                cells,
                "at least 40×")),
        List.of(),
        Verdict.FLAGGED,
        "A slower commit costs the interactive transaction nine tenths of its goodput; Partita"
            + " shares each commit among all who wait.");
  }

  /** Transfers arrive at a rate, whether or not the ones before are done. */
  static Run open() {
    List<Cell> cells = new ArrayList<>();
    for (int block = 1; block <= BLOCKS; block++) {
      for (int rate : new int[] {500, 1_000, 2_000, 5_000, 10_000}) {
        for (String contender : List.of("partita", "one-statement")) {
          double most = contender.equals("partita") ? 30_000 : 2_050;
          double done = Math.min(rate, most * BLOCK_FACTORS[block - 1]);
          boolean over = done < rate;
          double service = contender.equals("partita") ? 1_900 : 480;
          CellBuilder cell =
              cell(contender, 4_096, block, done)
                  .named(contender + " at " + rate)
                  .at((double) rate)
                  .offered(rate)
                  .times(over ? 1_400_000 : service / (1 - done / most * 0.9), service);
          if (over) {
            cell.failing(Outcome.DROPPED, Math.round((rate - done) * 20));
            cell.gate(
                new GateResult(
                    "G03",
                    "goodput against what was offered",
                    Numbers.fixed(done / rate, 2),
                    "0.98–1.02",
                    false,
                    Verdict.FAILED));
          }
          add(cells, cell);
        }
      }
    }
    return run(
        about("rate", "Latency at a rate", "transfers offered a second", cells),
        cells,
        List.of(),
        List.of(),
        Verdict.FAILED,
        "One statement kept up to 2,000 transfers a second on one account; Partita kept up with"
            + " all rates that were offered.");
  }

  /** One whose target never answered. */
  static Run dead() {
    List<Cell> cells = new ArrayList<>();
    for (int callers : new int[] {1, 64}) {
      CellBuilder cell = new CellBuilder("naive", callers).goodput(0);
      add(cells, cell.failing(Outcome.TRANSIENT, 1_000).gate(unanswered()));
    }
    return run(
        about("hot", "One row hands out turns", "callers", cells),
        cells,
        List.of(new Ratio("nothing", "naive@64", "naive@1", List.of(Double.NaN), Double.NaN, "")),
        List.of(),
        Verdict.INVALID,
        "The database did not answer.");
  }

  /** One that ended before anything was measured. */
  static Run empty() {
    return run(
        about("hot", "One row hands out turns", "callers", List.of()),
        List.of(),
        List.of(),
        List.of(),
        Verdict.INVALID,
        "No table could be made.");
  }

  private static GateResult unanswered() {
    return new GateResult(
        "G12", "errors at the start", "100 %", "below 50 %", false, Verdict.INVALID);
  }

  /** A run in which every text tries to be something else. */
  static Run hostile(String text) {
    Cell cell =
        new CellBuilder(text, 1)
            .named(text)
            .emulated(text)
            .figure(new Figure("key", text, null, text, text))
            .gate(new GateResult(text, text, text, text, false, Verdict.FLAGGED))
            .check(new CheckResult(text, text, 1, List.of(text), text))
            .build(1);
    Map<String, String> facts = Map.of(text, text);
    return new Run(
        Run.FORMAT,
        new About(text, text, text, text, text, List.of(text), text, text, 1, text, 1, text),
        new Place(
            facts, facts, facts, List.of(new Figure("k", text, 1.0, text, text)), List.of(text)),
        List.of(new Card(text, text, text, List.of(text), 1, text, text, 1)),
        List.of(cell),
        List.of(new Ratio(text, text, text, List.of(1.0), 1, text)),
        List.of(new Finding(text, text, text, Finding.Outcome.SHOWN)),
        Verdict.FLAGGED,
        text);
  }

  private static void add(List<Cell> cells, CellBuilder cell) {
    cells.add(cell.build(cells.size() + 1));
  }

  private static CellBuilder hotCell(String contender, int callers, int block, double goodput) {
    double done = goodput * BLOCK_FACTORS[block - 1];
    double response = callers / done * 1e6;
    return cell(contender, callers, block, done)
        .times(response, contender.equals("naive") ? response : Math.min(response, 4_200));
  }

  /** A cell with the figures, checks and gates that every cell of these runs has. */
  private static CellBuilder cell(String contender, int callers, int block, double goodput) {
    CellBuilder cell =
        new CellBuilder(contender, callers)
            .block(block)
            .goodput(goodput)
            .figure(
                Figure.of("wal_bytes", "WAL", contender.equals("naive") ? 742 : 318, "bytes each"))
            .figure(Figure.of("syncs", "WAL syncs", goodput / 40, "per s"))
            .figure(Figure.of("bytes", "stored", 236.4, "bytes each"))
            .figure(
                contender.equals("partita")
                    ? Figure.notMeasured("hot", "HOT updates", "%", "no row is updated in place")
                    : Figure.of("hot", "HOT updates", 99.2, "%"))
            .figure(Figure.of("cpu_client", "CPU client", 11.6, "µs each"))
            .figure(Figure.of("cpu_server", "CPU database", 27.25, "µs each"))
            .figure(
                new Figure("waits", "waiting for locks", 61.5, "%", "sampled every 10 ms, by wait"))
            .gate(gate("G01", "sums of the generator", "all equal", "exact", Verdict.INVALID))
            .gate(gate("G02", "reconciliation", "all pass", "all pass", Verdict.INVALID))
            .gate(
                gate(
                    "G07",
                    "quiet host",
                    Numbers.fixed(0.11 + block / 50.0, 2),
                    "load per core ≤ 0.5",
                    Verdict.FLAGGED))
            .check(check("R1", "every transfer and every currency sums to zero", ""))
            .check(check("R2", "balances equal the sums of their entries", ""))
            .check(
                check(
                    "R3",
                    "as many transfers as were acknowledged",
                    Numbers.count(Math.round(goodput * 25)) + " stored"))
            .check(check("R9", "running balances follow each other", "not kept by this contender"));
    if (contender.equals("naive") || contender.equals("one-statement")) {
      cell.figure(
          Figure.of("turns_predicted_per_second", "turns predicted", goodput * 1.08, "per s"));
      cell.figure(Figure.of("turns_measured_per_second", "turns measured", goodput, "per s"));
    }
    return cell;
  }

  private static GateResult gate(
      String id, String what, String observed, String threshold, Verdict effect) {
    return new GateResult(id, what, observed, threshold, true, effect);
  }

  private static CheckResult check(String name, String what, String note) {
    return new CheckResult(name, what, 0, List.of(), note);
  }

  private static List<Ratio> hotRatios(List<Cell> cells) {
    List<Ratio> ratios = new ArrayList<>();
    Map<Integer, String> wanted = Map.of(1, "≥ 1.2×", 4, "≥ 1.5×", 16, "≥ 6×", 64, "≥ 20×");
    for (int callers : new int[] {1, 4, 16, 64}) {
      ratios.add(
          ratio(
              "against naive, " + callers + " callers",
              "partita@" + callers,
              "naive@" + callers,
              cells,
              wanted.get(callers)));
    }
    for (int callers : new int[] {1, 64}) {
      String name = "against one statement, " + callers + " callers";
      ratios.add(ratio(name, "partita@" + callers, "one-statement@" + callers, cells, ""));
    }
    for (int callers : new int[] {64, 1_000, 4_000}) {
      String name = "share of the ceiling, " + callers + " callers";
      ratios.add(ratio(name, "partita@" + callers, "ceiling@" + callers, cells, "≥ 50 %"));
    }
    return ratios;
  }

  private static Ratio ratio(
      String name, String arm, String against, List<Cell> cells, String wanted) {
    List<Double> perBlock = new ArrayList<>();
    for (int block = 1; block <= BLOCKS; block++) {
      double above = goodput(arm, block, cells);
      double below = goodput(against, block, cells) * (1 + (block - 2) * 0.04);
      if (above > 0 && below > 0) {
        perBlock.add(above / below);
      }
    }
    return new Ratio(name, arm, against, perBlock, Spread.of(perBlock).median(), wanted);
  }

  private static double goodput(String arm, int block, List<Cell> cells) {
    return cells.stream()
        .filter(each -> each.arm().equals(arm) && each.block() == block)
        .mapToDouble(each -> each.counts().goodputPerSecond())
        .sum();
  }

  private static About about(String experiment, String title, String xAxis, List<Cell> cells) {
    return new About(
        experiment,
        title,
        "Study 000 says that a row which every transfer changes limits them all to one turn after"
            + " another, about 1,000 a second, however many connections there are.",
        "Shown if more connections bring less than half as much again.",
        xAxis,
        cells.stream().map(Cell::arm).distinct().toList(),
        "partita lab run " + experiment + " --profile quick --seed 1847 --database embedded",
        "quick",
        1847,
        "2026-12-01T04:43:29Z",
        1_324,
        "0.1.0");
  }

  /** The same with other ratios. */
  static Run with(List<Ratio> ratios, Run run) {
    return run(run.about(), run.cells(), ratios, run.findings(), run.verdict(), run.summary());
  }

  /** The same with cells in another order, and arms declared so. */
  static Run with(List<Cell> cells, List<String> arms, Run run) {
    About about = run.about();
    return run(
        new About(
            about.experiment(),
            about.title(),
            about.claim(),
            about.expected(),
            about.xAxis(),
            arms,
            about.command(),
            about.profile(),
            about.seed(),
            about.started(),
            about.seconds(),
            about.version()),
        cells,
        run.ratios(),
        run.findings(),
        run.verdict(),
        run.summary());
  }

  private static Run run(
      About about,
      List<Cell> cells,
      List<Ratio> ratios,
      List<Finding> findings,
      Verdict verdict,
      String summary) {
    return new Run(Run.FORMAT, about, place(), cards(), cells, ratios, findings, verdict, summary);
  }

  private static Place place() {
    Map<String, String> host = new LinkedHashMap<>();
    host.put("processor", "2 cores of an Intel Xeon at 2.9 GHz");
    host.put("memory", "8 GiB");
    host.put("system", "Linux 6.8, Java 25.0.1");
    Map<String, String> server = new LinkedHashMap<>();
    server.put("version", "PostgreSQL 18.6");
    server.put("shared_buffers", "1 GB");
    server.put("max_wal_size", "4 GB");
    Map<String, String> durability = new LinkedHashMap<>();
    durability.put("fsync", "on");
    durability.put("synchronous_commit", "on");
    durability.put("full_page_writes", "on");
    durability.put("wal_sync_method", "fdatasync");
    return new Place(
        host,
        server,
        durability,
        List.of(
            Figure.of("round_trip", "round trip", 42, "µs"),
            Figure.of("commit", "empty commit", 612, "µs"),
            Figure.notMeasured("disk", "disk alone", "µs", "no access to the data directory")),
        List.of("The load and the database shared 2 cores: both would be faster alone."));
  }

  private static List<Card> cards() {
    return List.of(
        new Card(
            "partita",
            "the ledger itself: callers hand in requests, one writer posts them in batches",
            "",
            List.of("COPY partita.entry FROM STDIN (FORMAT binary)"),
            1,
            "READ COMMITTED",
            "status of every transfer",
            2),
        new Naive(Naive.Order.HOT_FIRST).card(),
        new OneStatement().card());
  }
}
