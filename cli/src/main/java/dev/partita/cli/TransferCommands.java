package dev.partita.cli;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.GroupResolution;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.input.Decimal;
import dev.partita.cli.output.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Transfers. */
@Command(
    name = "transfer",
    header = "Post, hold, capture, void, reverse and show transfers.",
    subcommands = {
      TransferCommands.Post.class,
      TransferCommands.Pending.class,
      TransferCommands.Capture.class,
      TransferCommands.Voiding.class,
      TransferCommands.Reverse.class,
      TransferCommands.Show.class,
      GroupCommand.class
    })
final class TransferCommands extends CommandGroup {

  /** What a transfer that moves something names. */
  static final class Movement {
    @Option(
        names = "--debit",
        required = true,
        paramLabel = "ACCOUNT",
        description = "Account to debit.")
    private String debit = "";

    @Option(
        names = "--credit",
        required = true,
        paramLabel = "ACCOUNT",
        description = "Account to credit.")
    private String credit = "";

    @Option(
        names = "--amount",
        required = true,
        paramLabel = "AMOUNT",
        description = "How much, in major units: 12.50")
    private String amount = "";

    @Option(
        names = "--asset",
        required = true,
        paramLabel = "CODE",
        description = "Asset of the amount.")
    private String asset = "";

    @Option(
        names = "--up-to",
        paramLabel = "SIDE",
        description = "The amount is a maximum: as much as debit, credit or both have room for.")
    private @Nullable String upTo;

    @Mixin private TransferOptions.Identity identity = new TransferOptions.Identity();
    @Mixin private TransferOptions.Notes notes = new TransferOptions.Notes();

    LedgerCommand.Work post(TransferKind kind, @Nullable Integer timeoutSeconds) {
      AccountId debitId = TransferOptions.account("--debit", debit);
      AccountId creditId = TransferOptions.account("--credit", credit);
      AssetCode code = Arguments.named("--asset", () -> new AssetCode(asset));
      Decimal decimal = Decimal.unsigned("--amount", amount);
      UpTo room = upTo == null ? UpTo.NONE : Arguments.choice("--up-to", upTo, UpTo.class);
      UUID id = identity.id();
      TransferRequest zero =
          Arguments.named(
              "--id",
              () -> {
                TransferRequest direct =
                    TransferRequest.direct(id, code, debitId, creditId, dev.partita.Amount.ZERO);
                return kind == TransferKind.DIRECT
                    ? direct
                    : TransferRequest.pending(id, code, debitId, creditId, dev.partita.Amount.ZERO);
              });
      TransferRequest noted = notes.on(zero.upTo(room));
      TransferRequest timed = timeoutSeconds == null ? noted : noted.timeoutSeconds(timeoutSeconds);
      return desk ->
          Posting.post(timed.amount(decimal.amount(desk.assets().named("--asset", code))), desk);
    }
  }

  @Command(
      name = "post",
      header = "Move an amount from the account it debits to the account it credits.",
      footer = {
        "",
        "Example:",
        "  partita transfer post --debit cash --credit wallet:1 --amount 25.00 --asset EUR"
            + " --key topup-1"
      })
  static final class Post extends LedgerCommand {
    @Mixin private Movement movement = new Movement();

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    Work prepare() {
      return movement.post(TransferKind.DIRECT, null);
    }
  }

  @Command(
      name = "pending",
      header = "Place a hold: reserve an amount, to be captured or voided later.",
      footer = {
        "",
        "Example:",
        "  partita transfer pending --debit wallet:1 --credit shop --amount 9.90 --asset EUR"
            + " --timeout 15m --key order-7"
      })
  static final class Pending extends LedgerCommand {
    @Mixin private Movement movement = new Movement();

    @Option(
        names = "--timeout",
        paramLabel = "DURATION",
        description = "The hold expires after this: 90, 90s, 15m, 24h, 7d. Default: never.")
    private @Nullable String timeout;

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    Work prepare() {
      return movement.post(
          TransferKind.PENDING, timeout == null ? null : Arguments.seconds("--timeout", timeout));
    }
  }

  /** One hold, or all holds of a group. */
  static final class Held {
    @Parameters(
        arity = "0..1",
        paramLabel = "HOLD",
        description = "The hold: a UUID, or key:TEXT for the id that a key stands for.")
    private @Nullable String hold;

    @Option(
        names = "--group",
        paramLabel = "GROUP",
        description = "Instead of one hold: all holds of this group, whole or not at all.")
    private @Nullable String group;

    @Mixin private TransferOptions.Identity identity = new TransferOptions.Identity();

    UUID newId() {
      return identity.id();
    }

    @Nullable UUID hold() {
      if ((hold == null) == (group == null)) {
        throw new MisuseException("HOLD", "name one hold, or a group with --group");
      }
      return Arguments.idOrNull("HOLD", hold);
    }

    PostItem group(TransferKind kind, boolean anythingElseGiven) {
      if (anythingElseGiven) {
        throw new MisuseException(
            "--group",
            "takes all that remains of every hold; give no amount and no notes beside it");
      }
      UUID resolved = Arguments.id("--group", group == null ? "" : group);
      UUID id = newId();
      return Arguments.named("--id", () -> new GroupResolution(id, resolved, kind));
    }
  }

  @Command(
      name = "capture",
      header = "Capture a hold, in whole or in part.",
      description = "What is not captured is given back, unless --keep-remainder keeps it held.",
      footer = {
        "",
        "Examples:",
        "  partita transfer capture key:order-7",
        "  partita transfer capture key:order-7 --amount 5.00 --asset EUR --keep-remainder"
      })
  static final class Capture extends LedgerCommand {
    @Mixin private Held held = new Held();
    @Mixin private TransferOptions.PartialAmount partial = new TransferOptions.PartialAmount();

    @Option(names = "--keep-remainder", description = "What is not captured stays held.")
    private boolean keepRemainder;

    @Mixin private TransferOptions.Notes notes = new TransferOptions.Notes();

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    Work prepare() {
      UUID hold = held.hold();
      if (hold == null) {
        PostItem item =
            held.group(TransferKind.POST, partial.given() || keepRemainder || notes.given());
        return desk -> Posting.post(item, desk);
      }
      Decimal amount = partial.amount();
      AssetCode asset = partial.asset();
      UUID id = held.newId();
      TransferRequest request = Arguments.named("--id", () -> TransferRequest.capture(id, hold));
      TransferRequest noted = notes.on(request);
      if (amount == null && keepRemainder) {
        throw new MisuseException("--keep-remainder", "needs an --amount to leave a remainder");
      }
      return desk ->
          Posting.post(measured(noted, amount, asset, desk).keepRemainder(keepRemainder), desk);
    }
  }

  @Command(name = "void", header = "Void a hold: give back what remains of it.")
  static final class Voiding extends LedgerCommand {
    @Mixin private Held held = new Held();
    @Mixin private TransferOptions.Notes notes = new TransferOptions.Notes();

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    Work prepare() {
      UUID hold = held.hold();
      UUID id = held.newId();
      PostItem item =
          hold == null
              ? held.group(TransferKind.VOID, notes.given())
              : notes.on(Arguments.named("--id", () -> TransferRequest.voiding(id, hold)));
      return desk -> Posting.post(item, desk);
    }
  }

  @Command(
      name = "reverse",
      header = "Reverse a transfer or a capture, in whole or in part.",
      description = "A new transfer the other way round; limits apply.")
  static final class Reverse extends LedgerCommand {
    @Parameters(
        paramLabel = "TRANSFER",
        description = "The transfer: a UUID, or key:TEXT for the id that a key stands for.")
    private String original = "";

    @Mixin private TransferOptions.PartialAmount partial = new TransferOptions.PartialAmount();
    @Mixin private TransferOptions.Identity identity = new TransferOptions.Identity();
    @Mixin private TransferOptions.Notes notes = new TransferOptions.Notes();

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    Work prepare() {
      UUID originalId = Arguments.id("TRANSFER", original);
      Decimal amount = partial.amount();
      AssetCode asset = partial.asset();
      UUID id = identity.id();
      TransferRequest request =
          notes.on(Arguments.named("--id", () -> TransferRequest.reversal(id, originalId)));
      return desk -> Posting.post(measured(request, amount, asset, desk), desk);
    }
  }

  private static TransferRequest measured(
      TransferRequest request,
      @Nullable Decimal amount,
      @Nullable AssetCode asset,
      LedgerCommand.Desk desk) {
    return amount == null || asset == null
        ? request
        : request.asset(asset).amount(amount.amount(desk.assets().named("--asset", asset)));
  }

  @Command(
      name = "show",
      header = "Show transfers as they were recorded.",
      description = "Exit code 1 if one of them is not recorded.")
  static final class Show extends LedgerCommand {
    @Parameters(
        arity = "1..*",
        paramLabel = "TRANSFER",
        description = "UUIDs, or key:TEXT for the ids that keys stand for.")
    private List<String> ids = new ArrayList<>();

    @Override
    Work prepare() {
      List<UUID> wanted = ids.stream().map(id -> Arguments.id("TRANSFER", id)).distinct().toList();
      return desk -> {
        List<Transfer> found = desk.ledger().transfers(wanted);
        List<UUID> missing = new ArrayList<>(wanted);
        found.forEach(transfer -> missing.remove(transfer.id()));
        desk.output()
            .answer(
                () -> {
                  ObjectNode node = Output.object();
                  ArrayNode all = node.putArray("transfers");
                  found.forEach(transfer -> all.add(desk.views().document(transfer)));
                  ArrayNode none = node.putArray("notRecorded");
                  missing.forEach(id -> none.add(id.toString()));
                  return node;
                },
                terminal -> {
                  for (Transfer transfer : found) {
                    desk.views().print(transfer, desk.output());
                    if (wanted.size() > 1) {
                      terminal.out().println();
                    }
                  }
                  missing.forEach(id -> terminal.out().println("Not recorded: " + id));
                });
        return missing.isEmpty() ? ExitCode.OK : ExitCode.REFUSED;
      };
    }
  }
}
