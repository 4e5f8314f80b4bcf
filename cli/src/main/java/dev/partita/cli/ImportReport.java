package dev.partita.cli;

import dev.partita.Asset;
import dev.partita.cli.ingest.Tally;
import dev.partita.cli.output.Fields;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.ProgressLine;
import dev.partita.cli.output.Table;
import dev.partita.cli.output.Terminal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What an import has done. Its counts add up to the rows read, or it says how many did not. */
final class ImportReport {

  private static final int SHOWN_MAX = 20;

  private final Tally tally;
  private final long elapsedNanos;
  private final Function<String, Asset> assetOfBucket;
  private final Map<String, Money> extra = new LinkedHashMap<>();

  ImportReport(Tally tally, long elapsedNanos, Function<String, Asset> assetOfBucket) {
    this.tally = tally;
    this.elapsedNanos = elapsedNanos;
    this.assetOfBucket = assetOfBucket;
  }

  private record Money(BigInteger minorUnits, Asset asset) {}

  /** Adds a named value of this kind of import. */
  void extra(String name, BigInteger minorUnits, Asset asset) {
    extra.put(name, new Money(minorUnits, asset));
  }

  /** Rows read but neither taken nor rejected, because the import ended early. */
  private long notTried() {
    return tally.rows() - tally.answered();
  }

  void answer(Output output) {
    output.answer(this::document, this::print);
  }

  private ObjectNode document() {
    ObjectNode node = Output.object().put("rows", tally.rows());
    node.put("created", tally.created());
    node.put("exists", tally.exists());
    node.put("refused", tally.refused());
    node.put("malformed", tally.malformed());
    node.put("notTried", notTried());
    ObjectNode refusals = node.putObject("refusals");
    tally.refusals().forEach((status, count) -> refusals.put(status.name(), count));
    ObjectNode sums = node.putObject("sums");
    tally
        .sums()
        .forEach(
            (bucket, sum) -> {
              Money money = new Money(sum, assetOfBucket.apply(bucket));
              money(sums.putObject(bucket), money);
            });
    extra.forEach((name, money) -> money(node.putObject(name), money));
    ArrayNode rejections = node.putArray("rejections");
    for (Tally.Rejection rejection : tally.rejections()) {
      rejections
          .addObject()
          .put("line", rejection.line())
          .put("status", rejection.status())
          .put("detail", rejection.detail());
    }
    node.put("elapsedMillis", elapsedNanos / 1_000_000);
    return node;
  }

  private void print(Terminal terminal) {
    Fields fields = new Fields();
    fields.add(
        "rows",
        String.format(
            Locale.ROOT,
            "%,d in %.1f s, %,d/s",
            tally.rows(),
            elapsedNanos / 1e9,
            ProgressLine.perSecond(tally.answered(), elapsedNanos)));
    fields.add("created", number(tally.created()));
    fields.add("exists", number(tally.exists()) + " (recorded by an earlier import)");
    fields.add("refused", number(tally.refused()) + refusals());
    fields.add("malformed", number(tally.malformed()));
    if (notTried() != 0) {
      fields.add("not tried", number(notTried()) + " (import again to go on)");
    }
    tally
        .sums()
        .forEach(
            (bucket, sum) -> {
              Asset asset = assetOfBucket.apply(bucket);
              String code = asset.code().value();
              fields.add(
                  bucket.equals(code) ? "sum" : "sum of " + bucket, money(sum, asset) + " " + code);
            });
    extra.forEach(
        (name, money) ->
            fields.add(
                name, money(money.minorUnits(), money.asset()) + " " + money.asset().code()));
    fields.print(terminal);
    if (!tally.rejections().isEmpty()) {
      terminal.out().println();
      new Table<Tally.Rejection>()
          .right("line", r -> Long.toString(r.line()))
          .left("status", Tally.Rejection::status)
          .left("detail", Tally.Rejection::detail)
          .print(terminal, tally.rejections().stream().limit(SHOWN_MAX).toList());
      long more = tally.refused() + tally.malformed() - SHOWN_MAX;
      if (more > 0) {
        terminal
            .out()
            .println("and " + number(more) + " more; --rejects FILE writes all of them to a file");
      }
    }
  }

  private static void money(ObjectNode node, Money money) {
    node.put("amount", money(money.minorUnits(), money.asset()))
        .put("asset", money.asset().code().value());
  }

  private String refusals() {
    if (tally.refusals().isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    tally
        .refusals()
        .forEach(
            (status, count) ->
                text.append(text.isEmpty() ? " (" : ", ").append(status + " " + number(count)));
    return text.append(')').toString();
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String money(BigInteger minorUnits, Asset asset) {
    return new BigDecimal(minorUnits, asset.scale()).toPlainString();
  }
}
