package dev.partita.cli;

import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.RegisterResult;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Assets: currencies, coins, points. */
@Command(
    name = "asset",
    header = "Register and list assets: currencies, coins, points.",
    subcommands = {AssetCommands.Register.class, AssetCommands.ListAll.class})
final class AssetCommands extends CommandGroup {

  @Command(
      name = "register",
      header = "Register an asset; its scale never changes.",
      footer = {
        "",
        "Examples:",
        "  partita asset register EUR              scale 2, as ISO 4217 has it",
        "  partita asset register BTC --scale 8"
      })
  static final class Register extends LedgerCommand {

    @Parameters(
        paramLabel = "CODE",
        description = "1 to 16 characters A-Z, 0-9, _, the first a letter.")
    private String code = "";

    @Option(
        names = "--scale",
        paramLabel = "N",
        description = "Digits after the point, 0 to 30. May be left out for ISO 4217 currencies.")
    private @Nullable String scale;

    @Override
    Purpose purpose() {
      return Purpose.CREATE;
    }

    @Override
    Work prepare() {
      Asset asset = Arguments.named("CODE", () -> asset());
      return desk -> {
        RegisterResult result = desk.ledger().register(List.of(asset)).getFirst();
        boolean different = result.status() == RegisterResult.Status.EXISTS_DIFFERENT;
        String sentence =
            switch (result.status()) {
              case CREATED -> "Registered " + asset.code() + " with scale " + asset.scale() + ".";
              case EXISTS ->
                  asset.code() + " was registered before with scale " + asset.scale() + ".";
              case EXISTS_DIFFERENT ->
                  "Refused: "
                      + asset.code()
                      + " is registered with scale "
                      + result.asset().scale()
                      + ", which never changes. Use that, or register another code.";
            };
        desk.output()
            .answer(
                () -> {
                  ObjectNode node = Output.object().put("status", result.status().name());
                  node.set("asset", Views.document(result.asset()));
                  return node.put("message", sentence);
                },
                terminal -> terminal.out().println(sentence));
        return different ? ExitCode.REFUSED : ExitCode.OK;
      };
    }

    private Asset asset() {
      new AssetCode(code);
      if (scale != null) {
        return Asset.of(code, Arguments.small("--scale", scale, 0, Asset.SCALE_MAX));
      }
      try {
        return Asset.iso(code);
      } catch (MisuseException e) {
        throw new MisuseException(
            "CODE", code + " is not an ISO 4217 currency; name its scale with --scale N");
      }
    }
  }

  @Command(name = "list", header = "List all assets.")
  static final class ListAll extends LedgerCommand {

    @Override
    Work prepare() {
      return desk -> {
        desk.output()
            .pages(
                "assets",
                new Output.Paging(null, true),
                cursor -> new Page<>(desk.ledger().assets(), null),
                Views::document,
                new Table<Asset>()
                    .left("asset", a -> a.code().value())
                    .right("scale", a -> Integer.toString(a.scale())));
        return ExitCode.OK;
      };
    }
  }
}
