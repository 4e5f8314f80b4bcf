package dev.partita.cli;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.BalanceReading;
import dev.partita.EffectiveReading;
import dev.partita.MisuseException;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Fields;
import dev.partita.cli.output.Output;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Where an account stands, stood, or counts. */
@Command(
    name = "balance",
    header = "Show the balance of an account: now, as recorded, or as effective at a time.",
    footer = {
      "",
      "Times are inclusive and name their offset: 2026-01-31T23:59:59.999999Z",
      "",
      "Examples:",
      "  partita balance wallet:1",
      "  partita balance wallet:1 --recorded 2026-01-31T23:59:59.999999Z",
      "  partita balance wallet:1 --effective 2026-01-31T23:59:59.999999Z"
    })
final class BalanceCommand extends LedgerCommand {

  @Mixin private AccountCommands.IdArgument account = new AccountCommands.IdArgument();

  @Option(
      names = "--recorded",
      paramLabel = "TIME",
      description = "As it was recorded then, posted and pending.")
  private @Nullable String recorded;

  @Option(
      names = "--effective",
      paramLabel = "TIME",
      description = "The sum of what counts at that time, posted only.")
  private @Nullable String effective;

  @Option(
      names = "--known",
      paramLabel = "TIME",
      description = "With --effective: as far as was recorded then.")
  private @Nullable String known;

  @Override
  Work prepare() {
    AccountId id = account.id();
    Instant recordedAt = Arguments.timeOrNull("--recorded", recorded);
    Instant effectiveAt = Arguments.timeOrNull("--effective", effective);
    Instant knownAt = Arguments.timeOrNull("--known", known);
    if (recordedAt != null && effectiveAt != null) {
      throw new MisuseException("--recorded", "give either --recorded or --effective");
    }
    if (knownAt != null && effectiveAt == null) {
      throw new MisuseException("--known", "narrows --effective; give that too");
    }
    return desk -> {
      if (effectiveAt != null) {
        EffectiveReading reading =
            knownAt == null
                ? desk.ledger().balanceAsEffective(id, effectiveAt)
                : desk.ledger().balanceAsEffective(id, effectiveAt, knownAt);
        answer(desk, reading, effectiveAt, knownAt);
      } else {
        BalanceReading reading =
            recordedAt == null
                ? desk.ledger().balance(id)
                : desk.ledger().balanceAsRecorded(id, recordedAt);
        answer(desk, reading, recordedAt);
      }
      return ExitCode.OK;
    };
  }

  private static void answer(Desk desk, BalanceReading reading, @Nullable Instant recordedAt) {
    Asset asset = desk.assets().stored(reading.state().asset());
    desk.output()
        .answer(
            () -> {
              ObjectNode node = desk.views().document(reading.state());
              node.put("spendable", reading.state().spendable().format(asset));
              node.put("recordedAt", Views.text(recordedAt));
              node.put("settledUntil", reading.settledUntil().toString());
              return node;
            },
            terminal ->
                new Fields()
                    .add("account", reading.state().account())
                    .add("balance", Views.money(reading.balance(), asset))
                    .add("held", Views.money(reading.state().held(), asset))
                    .add("expected", Views.money(reading.state().expected(), asset))
                    .add("spendable", Views.money(reading.state().spendable(), asset))
                    .add("debits", Views.money(reading.state().counters().debitsPosted(), asset))
                    .add("credits", Views.money(reading.state().counters().creditsPosted(), asset))
                    .add("version", reading.state().version())
                    .add("as recorded at", recordedAt)
                    .add("settled until", reading.settledUntil())
                    .print(terminal));
  }

  private static void answer(
      Desk desk, EffectiveReading reading, Instant effectiveAt, @Nullable Instant knownAt) {
    Asset asset = desk.assets().stored(reading.asset());
    desk.output()
        .answer(
            () -> {
              ObjectNode node = Output.object().put("account", reading.account().value());
              node.put("asset", asset.code().value());
              node.put("normal", reading.normal().name());
              node.put("balance", reading.balance().format(asset));
              node.put("debits", reading.debits().format(asset));
              node.put("credits", reading.credits().format(asset));
              node.put("effectiveAt", effectiveAt.toString());
              node.put("knownAt", Views.text(knownAt));
              node.put("settledUntil", reading.settledUntil().toString());
              return node;
            },
            terminal ->
                new Fields()
                    .add("account", reading.account())
                    .add("balance", Views.money(reading.balance(), asset))
                    .add("debits", Views.money(reading.debits(), asset))
                    .add("credits", Views.money(reading.credits(), asset))
                    .add("as effective at", effectiveAt)
                    .add("as known at", knownAt)
                    .add("settled until", reading.settledUntil())
                    .print(terminal));
  }
}
