package dev.partita.cli;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.Side;
import dev.partita.TransferRequest;
import dev.partita.UnknownAccountException;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.input.Decimal;
import dev.partita.cli.output.Output;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Accounts. */
@Command(
    name = "account",
    header = "Open, show, list and change accounts.",
    subcommands = {
      AccountCommands.Open.class,
      AccountCommands.Show.class,
      AccountCommands.ListAll.class,
      AccountCommands.LimitsOf.class,
      AccountCommands.Close.class,
      AccountCommands.Reopen.class,
      AccountCommands.MetadataOf.class,
      AccountCommands.Changes.class
    })
final class AccountCommands extends CommandGroup {

  /** An account, or the error that there is none. */
  static Account existing(LedgerCommand.Desk desk, AccountId id) {
    return desk.ledger().account(id).orElseThrow(() -> new UnknownAccountException(id));
  }

  /** The argument that every command on one account takes. */
  static final class IdArgument {
    @Parameters(paramLabel = "ID", description = "The account, for example seller:42:eur.")
    private String id = "";

    AccountId id() {
      return Arguments.named("ID", () -> new AccountId(id));
    }
  }

  @Command(
      name = "open",
      header = "Open an account.",
      footer = {
        "",
        "Examples:",
        "  partita account open cash --asset EUR --normal debit",
        "  partita account open wallet:1 --asset EUR --min-balance 0",
      })
  static final class Open extends LedgerCommand {
    @Mixin private IdArgument account = new IdArgument();

    @Option(names = "--asset", required = true, paramLabel = "CODE", description = "Its asset.")
    private String asset = "";

    @Option(
        names = "--normal",
        paramLabel = "SIDE",
        description = "credit (what we owe, default) or debit (what we own).")
    private String normal = "credit";

    @Option(
        names = "--min-balance",
        paramLabel = "AMOUNT",
        description = "Lowest balance that a transfer may leave; 0 forbids overdraft.")
    private @Nullable String minBalance;

    @Option(
        names = "--max-balance",
        paramLabel = "AMOUNT",
        description = "Highest balance that a transfer may lead to.")
    private @Nullable String maxBalance;

    @Option(names = "--code", paramLabel = "N", description = "0 to 65535, yours. Default: 0.")
    private String code = "0";

    @Mixin private MetadataOptions notes = new MetadataOptions();

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    Work prepare() {
      AccountId id = account.id();
      AssetCode assetCode = Arguments.named("--asset", () -> new AssetCode(asset));
      Side side = Arguments.choice("--normal", normal, Side.class);
      Decimal min = Decimal.signedOrNull("--min-balance", minBalance);
      Decimal max = Decimal.signedOrNull("--max-balance", maxBalance);
      int codeGiven = Arguments.small("--code", code, 0, TransferRequest.CODE_MAX);
      Metadata metadata = notes.metadata();
      return desk -> {
        Asset known = desk.assets().find(assetCode);
        if (known == null) {
          return answer(desk, new OpenResult(id, OpenResult.Status.UNKNOWN_ASSET, null));
        }
        Limits limits =
            new Limits(
                min == null ? null : min.balance(known), max == null ? null : max.balance(known));
        if (limits.crossed()) {
          throw new MisuseException("--min-balance", "is above --max-balance");
        }
        NewAccount opened = new NewAccount(id, assetCode, side, limits, codeGiven, metadata);
        return answer(desk, desk.ledger().open(List.of(opened)).getFirst());
      };
    }

    private ExitCode answer(Desk desk, OpenResult result) {
      String sentence =
          switch (result.status()) {
            case CREATED -> "Opened " + result.id() + ".";
            case EXISTS ->
                result.id()
                    + " was opened before; its limits and metadata are as they were (partita account"
                    + " limits and metadata change them).";
            case EXISTS_DIFFERENT ->
                "Refused: "
                    + result.id()
                    + " was opened before with another "
                    + result.field()
                    + ", which never changes. Show it, or choose another id.";
            case UNKNOWN_ASSET ->
                "Refused: the ledger has no asset "
                    + asset
                    + ". Register it first: partita asset register "
                    + asset
                    + ", or correct --asset.";
          };
      Account stored = desk.ledger().account(result.id()).orElse(null);
      desk.output()
          .answer(
              () -> {
                ObjectNode node = Output.object().put("status", result.status().name());
                node.put("message", sentence);
                node.put("field", result.field());
                node.set("account", stored == null ? null : desk.views().document(stored));
                return node;
              },
              terminal -> terminal.out().println(sentence));
      boolean open =
          result.status() == OpenResult.Status.CREATED
              || result.status() == OpenResult.Status.EXISTS;
      return open ? ExitCode.OK : ExitCode.REFUSED;
    }
  }

  @Command(name = "show", header = "Show an account as it is now.")
  static final class Show extends LedgerCommand {
    @Mixin private IdArgument account = new IdArgument();

    @Override
    Work prepare() {
      AccountId id = account.id();
      return desk -> {
        Account found = existing(desk, id);
        desk.output()
            .answer(
                () -> desk.views().document(found),
                terminal -> desk.views().print(found, desk.output()));
        return ExitCode.OK;
      };
    }
  }

  @Command(name = "list", header = "List accounts in order of their ids.")
  static final class ListAll extends LedgerCommand {
    @Option(
        names = "--prefix",
        paramLabel = "TEXT",
        description = "Only ids that begin with this, for example seller:")
    private @Nullable String prefix;

    @Option(names = "--asset", paramLabel = "CODE", description = "Only of this asset.")
    private @Nullable String asset;

    @Option(names = "--code", paramLabel = "N", description = "Only with this code.")
    private @Nullable String code;

    @Mixin private PageOptions page = new PageOptions();

    @Override
    Work prepare() {
      String assetText = asset;
      AssetCode assetCode =
          assetText == null ? null : Arguments.named("--asset", () -> new AssetCode(assetText));
      AccountQuery query =
          Arguments.named(
              "--prefix",
              () ->
                  new AccountQuery(
                      prefix,
                      assetCode,
                      Arguments.smallOrNull("--code", code, 0, TransferRequest.CODE_MAX),
                      null,
                      page.limit()));
      return desk -> {
        if (assetCode != null) {
          desk.assets().named("--asset", assetCode);
        }
        desk.output()
            .pages(
                "accounts",
                page.paging(),
                cursor -> desk.ledger().accounts(query.from(cursor)),
                desk.views()::document,
                desk.views().accountTable());
        return ExitCode.OK;
      };
    }
  }

  /** A change of an account, its condition and its author. */
  abstract static class Change extends LedgerCommand {
    @Mixin private IdArgument account = new IdArgument();

    @Option(
        names = "--if-change",
        paramLabel = "N",
        description = "Only if this is still the account's last change (0: never changed).")
    private @Nullable String ifChange;

    @Option(names = "--actor", paramLabel = "NAME", description = "Who makes the change.")
    private @Nullable String actor;

    /** What is changed, once the asset is known. */
    abstract BiFunction<ChangeRequest, Asset, ChangeRequest> change();

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    final Work prepare() {
      AccountId id = account.id();
      BiFunction<ChangeRequest, Asset, ChangeRequest> change = change();
      ChangeRequest empty = condition(ChangeRequest.of(id));
      return desk -> {
        Asset asset = desk.assets().stored(existing(desk, id).asset());
        return answer(desk, desk.ledger().change(change.apply(empty, asset)));
      };
    }

    private ChangeRequest condition(ChangeRequest request) {
      ChangeRequest changed = request;
      if (ifChange != null) {
        changed = changed.ifChange(Arguments.whole("--if-change", ifChange, 0, Long.MAX_VALUE));
      }
      String name = actor;
      if (name != null) {
        ChangeRequest before = changed;
        changed = Arguments.named("--actor", () -> before.actor(name));
      }
      return changed;
    }

    private static ExitCode answer(Desk desk, ChangeResult result) {
      Account after = result.account();
      String sentence =
          switch (result.status()) {
            case CHANGED -> "Changed " + after.id() + " (change " + after.lastChange() + ").";
            case UNCHANGED -> after.id() + " is so already; nothing was written.";
            case CHANGED_MEANWHILE ->
                "Refused: "
                    + after.id()
                    + " was changed meanwhile; its last change is "
                    + after.lastChange()
                    + ". Look at it (partita account changes "
                    + after.id()
                    + ") and decide again.";
            case LIMITS_CROSSED ->
                "Refused: the minimum would be above the maximum. Set both with --min-balance and"
                    + " --max-balance, or remove one with 'none'.";
          };
      desk.output()
          .answer(
              () -> {
                ObjectNode node = Output.object().put("status", result.status().name());
                node.put("message", sentence);
                node.set("account", desk.views().document(after));
                return node;
              },
              terminal -> terminal.out().println(sentence));
      boolean done =
          result.status() == ChangeResult.Status.CHANGED
              || result.status() == ChangeResult.Status.UNCHANGED;
      return done ? ExitCode.OK : ExitCode.REFUSED;
    }
  }

  @Command(
      name = "limits",
      header = "Change the limits of an account.",
      description = "An account may be given limits that it breaks already.")
  static final class LimitsOf extends Change {
    @Option(names = "--min-balance", paramLabel = "AMOUNT", description = "New minimum, or none.")
    private @Nullable String minBalance;

    @Option(names = "--max-balance", paramLabel = "AMOUNT", description = "New maximum, or none.")
    private @Nullable String maxBalance;

    @Override
    BiFunction<ChangeRequest, Asset, ChangeRequest> change() {
      if (minBalance == null && maxBalance == null) {
        throw new MisuseException("--min-balance", "give it, or --max-balance, or both");
      }
      String min = minBalance;
      String max = maxBalance;
      Decimal minimum = decimal("--min-balance", min);
      Decimal maximum = decimal("--max-balance", max);
      return (request, asset) -> {
        ChangeRequest changed = request;
        if (min != null) {
          changed = changed.minBalance(balance(minimum, asset));
        }
        if (max != null) {
          changed = changed.maxBalance(balance(maximum, asset));
        }
        return changed;
      };
    }

    private static @Nullable Decimal decimal(String option, @Nullable String text) {
      return text == null || text.equals("none") ? null : Decimal.signed(option, text);
    }

    private static @Nullable Balance balance(@Nullable Decimal decimal, Asset asset) {
      return decimal == null ? null : decimal.balance(asset);
    }
  }

  @Command(
      name = "close",
      header = "Close an account: it takes no new transfers.",
      description = "Open holds may still be voided, and expire.")
  static final class Close extends Change {
    @Override
    BiFunction<ChangeRequest, Asset, ChangeRequest> change() {
      return (request, asset) -> request.close();
    }
  }

  @Command(name = "reopen", header = "Open a closed account again.")
  static final class Reopen extends Change {
    @Override
    BiFunction<ChangeRequest, Asset, ChangeRequest> change() {
      return (request, asset) -> request.reopen();
    }
  }

  @Command(
      name = "metadata",
      header = "Replace the metadata of an account as a whole.",
      footer = {
        "",
        "Example: partita account metadata wallet:1 --metadata name=Ada --metadata tier=gold"
      })
  static final class MetadataOf extends Change {
    @Mixin private MetadataOptions notes = new MetadataOptions();

    @Option(names = "--none", description = "Remove all metadata.")
    private boolean none;

    @Override
    BiFunction<ChangeRequest, Asset, ChangeRequest> change() {
      if (none == notes.given()) {
        throw new MisuseException("--metadata", "give it, or --none to remove all");
      }
      Metadata metadata = notes.metadata();
      return (request, asset) -> request.metadata(metadata);
    }
  }

  @Command(name = "changes", header = "List the recorded changes of an account.")
  static final class Changes extends LedgerCommand {
    @Mixin private IdArgument account = new IdArgument();
    @Mixin private PageOptions page = new PageOptions();

    @Override
    Work prepare() {
      AccountId id = account.id();
      int limit = page.limit();
      return desk -> {
        Asset asset = desk.assets().stored(existing(desk, id).asset());
        desk.output()
            .pages(
                "changes",
                page.paging(),
                cursor -> desk.ledger().changes(id, cursor, limit),
                change -> desk.views().document(change, asset),
                desk.views().changeTable(asset));
        return ExitCode.OK;
      };
    }
  }
}
