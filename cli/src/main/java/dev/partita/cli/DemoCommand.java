package dev.partita.cli;

import dev.partita.Account;
import dev.partita.Asset;
import dev.partita.Entry;
import dev.partita.Ids;
import dev.partita.StatementQuery;
import dev.partita.TrialBalance;
import dev.partita.VerifyReport;
import dev.partita.cli.Serving.Step;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.demo.Demo;
import dev.partita.cli.demo.Plan;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Fields;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.ProgressLine;
import dev.partita.cli.output.Terminal;
import dev.partita.cli.output.Terminal.Style;
import dev.partita.server.ServerConfig;
import dev.partita.server.auth.ApiKeys;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.ConcurrentHistogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the marketplace. */
@Command(
    name = "demo",
    header = "Run a marketplace on the ledger and check it to the cent.",
    description = {
      "Buyers buy from sellers, and the marketplace takes its cut on one account. A sale is a group"
          + " of two transfers: the price from buyer to seller, the cut from seller to the fee"
          + " account; both or none. Beside some sales come refunds, holds that are captured,"
          + " captured in part, voided or left to expire, and purchases refused for lack of funds.",
      "",
      "The demo counts by itself what every account must have and compares. Exit code 0 only if"
          + " everything adds up. It can be run again on the same ledger: each run has accounts of"
          + " its own, demo:RUN:…"
    })
final class DemoCommand extends LedgerCommand {

  private static final int LAST_LINES = 10;
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(8);
  private static final int ACCOUNTS_MAX = 1_000_000;
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  @Option(
      names = "--transfers",
      paramLabel = "N",
      description = "Transfers of the sales, two for each. Default: 100000.")
  private String transfers = "100000";

  @Option(
      names = "--callers",
      paramLabel = "N",
      description = "Concurrent callers, each with one sale at a time. Default: 64.")
  private String callers = "64";

  @Option(names = "--sellers", paramLabel = "N", description = "Default: 1000.")
  private String sellers = "1000";

  @Option(names = "--buyers", paramLabel = "N", description = "Default: 10000.")
  private String buyers = "10000";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed makes the same sales. Default: 1.")
  private String seed = "1";

  @Option(names = "--exit", description = "End when the books are checked: for scripts.")
  private boolean exit;

  @Override
  Purpose purpose() {
    return Purpose.CREATE;
  }

  @Override
  Work prepare() {
    Plan plan =
        new Plan(
            Arguments.whole("--seed", seed, 0, Long.MAX_VALUE),
            Arguments.small("--sellers", sellers, 1, ACCOUNTS_MAX),
            Arguments.small("--buyers", buyers, 1, ACCOUNTS_MAX),
            Arguments.whole("--transfers", transfers, 2, 1_000_000_000L) / 2);
    int callerCount = Arguments.small("--callers", callers, 1, 100_000);
    return desk -> {
      Demo.Result result;
      try (ProgressLine progress =
          new ProgressLine(desk.output().terminal(), "transfers", desk.output().json())) {
        result = new Demo(desk.ledger(), plan, callerCount).run(progress);
      }
      Account fees = AccountCommands.existing(desk, result.feeAccount());
      TrialBalance balance = desk.ledger().trialBalance();
      VerifyReport report = VerifyCommand.run(desk);
      boolean sound = result.mismatches().isEmpty() && balance.balanced() && report.clean();
      Findings findings =
          new Findings(result, fees, balance, report, callerCount, sound, plan.seed());
      desk.output().answer(() -> document(findings, desk), t -> print(findings, desk, t));
      if (!sound) {
        return ExitCode.VIOLATIONS;
      }
      return exit || desk.output().json() ? ExitCode.OK : serve(desk, result.run());
    };
  }

  /** Leaves the marketplace open for whoever wants to look around. */
  private static ExitCode serve(Desk desk, int run) {
    ApiKeys keys = desk.session().apiKeys();
    ServerConfig config = ServerConfig.DEFAULT.port(freePort()).stopPatience(STOP_PATIENCE);
    KeyRule rule = KeyRule.of(config.address(), keys.all(), false, false);
    if (rule.needed()) {
      config = config.security(config.security().keys(keys));
    }
    heading(desk.output().terminal(), "Look around");
    return Serving.until(desk, config, rule, null, steps(run));
  }

  private static List<Step> steps(int run) {
    String prefix = "demo:" + run + ":";
    String transfer =
        "-H 'Content-Type: application/json' -d '{\"id\":\"%s\",\"asset\":\"EUR\",\"debit\":\"%s\",\"credit\":\"%s\",\"amount\":\"25.00\"}'"
            .formatted(
                Ids.timeOrdered(Instant.now(), new SecureRandom()),
                prefix + "external",
                prefix + "buyer:0");
    return List.of(
        new Step("/v1/accounts/" + prefix + "fees/balance", ""),
        new Step("/v1/accounts/" + prefix + "fees/statement?order=newest&limit=3", ""),
        new Step("/v1/accounts?prefix=" + prefix + "seller:&limit=3", ""),
        new Step("/v1/trial-balance", ""),
        new Step("/v1/transfers", transfer));
  }

  /** The usual one, or any if somebody listens there already. */
  private static int freePort() {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(ServerConfig.DEFAULT.address(), ServerConfig.PORT_DEFAULT));
      return ServerConfig.PORT_DEFAULT;
    } catch (IOException e) {
      return 0;
    }
  }

  private record Findings(
      Demo.Result result,
      Account fees,
      TrialBalance balance,
      VerifyReport report,
      int callers,
      boolean sound,
      long seed) {

    long perSecond() {
      return ProgressLine.perSecond(result.transfers(), result.elapsedNanos());
    }

    long salesPerSecond() {
      return ProgressLine.perSecond(
          result.counts().getOrDefault("sales", 0L), result.elapsedNanos());
    }
  }

  private static ObjectNode document(Findings findings, Desk desk) {
    Demo.Result result = findings.result();
    Asset asset = desk.assets().stored(findings.fees().asset());
    ObjectNode node = Output.object().put("sound", findings.sound());
    node.put("run", result.run());
    node.put("seed", findings.seed());
    node.put("callers", findings.callers());
    result.counts().forEach(node::put);
    node.put("transfers", result.transfers());
    node.put("elapsedMillis", result.elapsedNanos() / 1_000_000);
    node.put("transfersPerSecond", findings.perSecond());
    node.put("salesPerSecond", findings.salesPerSecond());
    ObjectNode latency = node.putObject("saleLatencyMicros");
    for (double percentile : PERCENTILES) {
      latency.put(
          "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString(),
          result.latencyMicros().getValueAtPercentile(percentile));
    }
    latency.put("max", result.latencyMicros().getMaxValue());
    ObjectNode fees = node.putObject("fees").put("account", findings.fees().id().value());
    fees.put("asset", asset.code().value());
    fees.put("balance", findings.fees().balance().balance().format(asset));
    fees.put("expected", BigDecimal.valueOf(result.feeCents(), asset.scale()).toPlainString());
    ArrayNode mismatches = node.putArray("mismatches");
    result.mismatches().forEach(mismatches::add);
    node.set("trialBalance", new TrialBalanceView(findings.balance(), desk.assets()).document());
    node.set("verify", VerifyCommand.document(findings.report()));
    return node;
  }

  private static void print(Findings findings, Desk desk, Terminal terminal) {
    Demo.Result result = findings.result();
    heading(terminal, "Marketplace, run " + result.run());
    Fields fields = new Fields();
    result.counts().forEach((name, count) -> fields.add(words(name), number(count)));
    fields.add("transfers", number(result.transfers()));
    fields.add("callers", findings.callers());
    fields.add(
        "throughput",
        String.format(
            Locale.ROOT,
            "%,d transfers/s (%,d sales/s) in %.1f s",
            findings.perSecond(),
            findings.salesPerSecond(),
            result.elapsedNanos() / 1e9));
    fields.add("latency of a sale", latency(result.latencyMicros()));
    fields.print(terminal);

    heading(terminal, "Last lines of " + findings.fees().id());
    List<Entry> lines =
        desk.ledger()
            .statement(StatementQuery.newestFirst(findings.fees().id(), LAST_LINES))
            .items()
            .reversed();
    Asset asset = desk.assets().stored(findings.fees().asset());
    desk.views().statementTable(asset).print(terminal, lines);

    heading(terminal, "Trial balance");
    new TrialBalanceView(findings.balance(), desk.assets()).print(terminal);

    heading(terminal, "Verification");
    VerifyCommand.print(findings.report(), terminal);
    String expected =
        BigDecimal.valueOf(result.feeCents(), asset.scale()).toPlainString() + " " + asset.code();
    if (result.mismatches().isEmpty()) {
      terminal
          .out()
          .println(
              terminal.styled(Style.GOOD, "Every account has what it must have")
                  + ", the fee account "
                  + expected
                  + ".");
    } else {
      terminal.out().println(terminal.styled(Style.BAD, "Not as it must be:"));
      result.mismatches().forEach(each -> terminal.out().println("  " + each));
    }
  }

  private static void heading(Terminal terminal, String text) {
    terminal.out().println();
    terminal.out().println(terminal.styled(Style.BOLD, text));
  }

  private static String latency(ConcurrentHistogram micros) {
    StringBuilder text = new StringBuilder();
    for (double percentile : PERCENTILES) {
      text.append(
          String.format(
              Locale.ROOT,
              "p%s %.2f ms, ",
              BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString(),
              micros.getValueAtPercentile(percentile) / 1e3));
    }
    return text.append(String.format(Locale.ROOT, "max %.2f ms", micros.getMaxValue() / 1e3))
        .toString();
  }

  /** {@code holdsCapturedInPart} as "holds captured in part". */
  private static String words(String name) {
    return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
