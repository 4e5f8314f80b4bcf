package dev.partita.cli;

import dev.partita.PostItem;
import dev.partita.PostResult;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Terminal;
import dev.partita.cli.output.Terminal.Style;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Posts one item and prints the answer. */
final class Posting {

  private Posting() {}

  static ExitCode post(PostItem item, LedgerCommand.Desk desk) {
    PostResult.Item result;
    try {
      result = desk.ledger().post(item);
    } catch (UnavailableException e) {
      throw new UnavailableException(
          e.reason(),
          e.outcome(),
          e.getMessage() + "; to repeat it safely give the same id: --id " + item.id(),
          e);
    }
    boolean recorded = result.isRecorded();
    desk.output()
        .answer(
            () -> document(item, result, desk), terminal -> print(item, result, desk, terminal));
    return recorded ? ExitCode.OK : ExitCode.REFUSED;
  }

  private static ObjectNode document(
      PostItem item, PostResult.Item result, LedgerCommand.Desk desk) {
    ObjectNode node = Output.object().put("id", item.id().toString());
    node.put("recorded", result.isRecorded());
    ArrayNode answers = node.putArray("transfers");
    for (TransferResult each : result.transfers()) {
      ObjectNode answer = answers.addObject().put("id", each.id().toString());
      answer.put("status", each.status().name());
      answer.put("message", Refusals.sentence(each, desk));
      answer.put("field", each.field() == null ? null : each.field().text());
      answer.put("account", Objects.toString(each.account(), null));
      answer.set(
          "transfer", each.transfer() == null ? null : desk.views().document(each.transfer()));
    }
    return node;
  }

  private static void print(
      PostItem item, PostResult.Item result, LedgerCommand.Desk desk, Terminal terminal) {
    boolean single = result.transfers().size() == 1;
    if (!single) {
      terminal
          .out()
          .println(
              "Group "
                  + item.id()
                  + (result.isRecorded() ? " is recorded." : " was refused as a whole."));
    }
    for (TransferResult each : result.transfers()) {
      Style style = each.status().isRecorded() ? Style.GOOD : Style.WARN;
      terminal
          .out()
          .println(
              (single ? "" : each.id() + "  ") + terminal.styled(style, Refusals.line(each, desk)));
      if (each.transfer() != null && single) {
        desk.views().print(each.transfer(), desk.output());
      }
    }
  }
}
