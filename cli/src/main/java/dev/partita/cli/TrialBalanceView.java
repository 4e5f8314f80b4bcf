package dev.partita.cli;

import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.TrialBalance;
import dev.partita.cli.input.Assets;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Table;
import dev.partita.cli.output.Terminal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How a trial balance looks. */
final class TrialBalanceView {

  private final TrialBalance balance;
  private final Assets assets;

  TrialBalanceView(TrialBalance balance, Assets assets) {
    this.balance = balance;
    this.assets = assets;
  }

  ObjectNode document() {
    ObjectNode node = Output.object().put("takenAt", balance.takenAt().toString());
    node.put("balanced", balance.balanced());
    ArrayNode lines = node.putArray("lines");
    for (TrialBalance.Line line : balance.lines()) {
      ObjectNode each = lines.addObject().put("asset", line.asset().value());
      each.put("code", line.code());
      each.put("normal", line.normal().name());
      each.put("accounts", line.accounts());
      each.put("debitsPosted", money(line.debitsPosted(), line.asset()));
      each.put("creditsPosted", money(line.creditsPosted(), line.asset()));
      each.put("debitsPending", money(line.debitsPending(), line.asset()));
      each.put("creditsPending", money(line.creditsPending(), line.asset()));
    }
    return node;
  }

  /** A line of the table: one of the balance, or the sum of an asset. */
  private record Row(
      String asset, String code, String normal, String accounts, List<String> totals) {}

  void print(Terminal terminal) {
    if (balance.lines().isEmpty()) {
      terminal.out().println("No accounts.");
      return;
    }
    List<Row> rows = new ArrayList<>();
    Map<AssetCode, List<TrialBalance.Line>> byAsset = new LinkedHashMap<>();
    for (TrialBalance.Line line : balance.lines()) {
      byAsset.computeIfAbsent(line.asset(), code -> new ArrayList<>()).add(line);
    }
    byAsset.forEach(
        (code, lines) -> {
          lines.forEach(line -> rows.add(row(line)));
          rows.add(sum(code, lines));
        });
    new Table<Row>()
        .left("asset", Row::asset)
        .right("code", Row::code)
        .left("normal", Row::normal)
        .right("accounts", Row::accounts)
        .right("debits posted", row -> row.totals().get(0))
        .right("credits posted", row -> row.totals().get(1))
        .right("debits pending", row -> row.totals().get(2))
        .right("credits pending", row -> row.totals().get(3))
        .print(terminal, rows);
    terminal
        .out()
        .println(
            (balance.balanced()
                    ? terminal.styled(Terminal.Style.GOOD, "Balanced")
                    : terminal.styled(Terminal.Style.BAD, "NOT BALANCED"))
                + " at "
                + balance.takenAt()
                + ".");
  }

  private Row row(TrialBalance.Line line) {
    return new Row(
        line.asset().value(),
        Integer.toString(line.code()),
        Views.lower(line.normal()),
        Long.toString(line.accounts()),
        List.of(
            money(line.debitsPosted(), line.asset()),
            money(line.creditsPosted(), line.asset()),
            money(line.debitsPending(), line.asset()),
            money(line.creditsPending(), line.asset())));
  }

  private Row sum(AssetCode code, List<TrialBalance.Line> lines) {
    return new Row(
        code.value(),
        "",
        "all",
        Long.toString(lines.stream().mapToLong(TrialBalance.Line::accounts).sum()),
        List.of(
            money(total(lines, TrialBalance.Line::debitsPosted), code),
            money(total(lines, TrialBalance.Line::creditsPosted), code),
            money(total(lines, TrialBalance.Line::debitsPending), code),
            money(total(lines, TrialBalance.Line::creditsPending), code)));
  }

  private static BigInteger total(
      List<TrialBalance.Line> lines, Function<TrialBalance.Line, BigInteger> column) {
    return lines.stream().map(column).reduce(BigInteger.ZERO, BigInteger::add);
  }

  private String money(BigInteger minorUnits, AssetCode code) {
    Asset asset = assets.stored(code);
    return new BigDecimal(minorUnits, asset.scale()).toPlainString();
  }
}
