package dev.partita.cli.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.partita.Asset;
import dev.partita.MisuseException;
import dev.partita.cli.archive.LineParser.Line;
import java.util.List;
import org.junit.jupiter.api.Tag;
import tools.jackson.databind.node.ObjectNode;

/**
 * Any text is either a line of an export, and is written back as it means, or refused. Begins with
 * real lines and changes them here and there.
 */
@Tag("slow")
class ExportLineFuzzTest {

  private static final Asset EUR = Asset.iso("EUR");
  private static final String ASSET = "{\"asset\":{\"code\":\"EUR\",\"scale\":2}}";
  private static final List<String> LINES =
      List.of(
          "{\"format\":\"partita-ledger\",\"version\":1}",
          ASSET.replace("EUR", "BTC"),
          """
          {"account":{"id":"wallet:1","asset":"EUR","normal":"CREDIT","minBalance":"0.00",\
          "maxBalance":"500.00","code":7,"metadata":{"k":"\u00fc"},\
          "openedAt":"2026-01-01T00:00:00Z"}}""",
          """
          {"change":{"account":"wallet:1","asset":"EUR","number":1,"before":{"closed":false},\
          "after":{"minBalance":"-1.00","metadata":{"k":"v"},"closed":true},"afterVersion":2,\
          "recordedAt":"2026-01-01T00:00:01.000001Z","actor":"ada"}}""",
          """
          {"transfer":{"request":{"id":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b","kind":"PENDING",\
          "asset":"EUR","debit":"a","credit":"b","amount":"7.77","upTo":"DEBIT",\
          "timeoutSeconds":60,"effectiveAt":"2020-02-29T12:00:00Z","code":3,"reference":"r",\
          "metadata":{"k":"v"}},"group":{"id":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b","index":0,\
          "size":2},"asset":"EUR","amount":"7.77","released":"0.00","last":false,"code":3,\
          "reference":"r","recordedAt":"2026-01-01T00:00:02Z","debitAfter":{"account":"a",\
          "normal":"DEBIT","version":1,"debitsPosted":"0.00","creditsPosted":"0.00",\
          "debitsPending":"7.77","creditsPending":"0.00"},"creditAfter":{"account":"b",\
          "normal":"CREDIT","version":9,"debitsPosted":"0.00","creditsPosted":"1.00",\
          "debitsPending":"0.00","creditsPending":"7.77"}}}""",
          "{\"end\":{\"assets\":1,\"accounts\":2,\"changes\":3,\"transfers\":4,\"sha256\":\"00ff\"}}");

  @DictionaryEntries({
    "\"keepRemainder\":true,",
    "\"relatedId\":",
    "null",
    "NaN",
    "1e400",
    "\\u0000",
    "{}",
    "[]"
  })
  @FuzzTest(maxDuration = "30s")
  void lines(FuzzedDataProvider data) {
    StringBuilder text = new StringBuilder();
    if (data.consumeBoolean()) {
      text.append(data.pickValue(LINES));
      for (int edits = data.consumeInt(0, 4); edits > 0; edits--) {
        int at = data.consumeInt(0, text.length());
        int end = data.consumeInt(at, Math.min(text.length(), at + 20));
        text.replace(at, end, data.consumeString(20));
      }
    } else {
      text.append(data.consumeRemainingAsString());
    }
    read(text.toString());
  }

  private static void read(String text) {
    try {
      LineParser.header(text);
    } catch (MisuseException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    Line line;
    try {
      line = parser().line(text);
    } catch (MisuseException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    if (line instanceof Line.OfAsset) {
      return; // The parser knows it from now on.
    }
    assertThat(parser().line(written(line).toString())).isEqualTo(line);
  }

  private static LineParser parser() {
    LineParser parser = new LineParser();
    parser.line(ASSET);
    return parser;
  }

  private static ObjectNode written(Line line) {
    return switch (line) {
      case Line.OfAsset asset -> Lines.asset(asset.asset());
      case Line.OfAccount account -> Lines.account(account.account(), EUR);
      case Line.OfChange change -> Lines.change(change.change(), EUR);
      case Line.OfTransfer transfer -> Lines.transfer(transfer.transfer(), EUR);
      case Line.OfEnd end -> {
        ObjectNode document = Lines.end(end.counts(), new byte[0]);
        document.withObject("end").put("sha256", end.sha256());
        yield document;
      }
    };
  }
}
