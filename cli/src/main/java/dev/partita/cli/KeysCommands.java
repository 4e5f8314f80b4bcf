package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.cli.connect.KeysSession;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Table;
import dev.partita.cli.output.Terminal;
import dev.partita.cli.output.Text;
import dev.partita.server.auth.ApiKey;
import dev.partita.server.auth.ApiKeyStore;
import dev.partita.server.auth.KeyRing;
import dev.partita.server.auth.PresentedKey;
import dev.partita.server.auth.Scope;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The API keys that callers of the server present. */
@Command(
    name = "keys",
    header = "Create, list and revoke the API keys of the server.",
    subcommands = {
      KeysCommands.Create.class,
      KeysCommands.ListAll.class,
      KeysCommands.Revoke.class
    })
final class KeysCommands extends CommandGroup {

  /** A command on the keys beside a ledger. */
  abstract static class KeysCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Checks the arguments, before anything is opened. */
    void prepare() {}

    Purpose purpose() {
      return Purpose.WRITE;
    }

    abstract ExitCode on(ApiKeyStore keys, Output output);

    @Override
    public final Integer call() {
      prepare();
      Partita root = Partita.of(spec);
      Output output = root.output();
      try (KeysSession session = root.source().openKeys(root.target(), purpose())) {
        return on(session.keys(), output).number();
      }
    }
  }

  @Command(
      name = "create",
      header = "Create a key, and show it this once.",
      description = {
        "Only its hash is stored: what is lost is revoked and created anew, under another name. Log"
            + " in as the owner of the schema, as for schema migrate. Once there is a key, a server"
            + " that starts needs one for every request."
      },
      footer = {
        "",
        "Examples:",
        "  partita keys create shop --scope read,post",
        "  partita keys create back-office --scope read,post,admin"
      })
  static final class Create extends KeysCommand {

    @Parameters(
        paramLabel = "NAME",
        description =
            "Who has it: 1 to 40 characters A-Z, a-z, 0-9, '.', '_', '-'. Recorded as the actor of"
                + " account changes, so never used twice.")
    private String name = "";

    @Option(
        names = "--scope",
        required = true,
        paramLabel = "SCOPES",
        description = "What it allows, separated by commas: read, post, admin.")
    private String scope = "";

    private final Set<Scope> scopes = EnumSet.noneOf(Scope.class);

    @Override
    void prepare() {
      Arguments.named(
          "NAME",
          () -> {
            ApiKey.requireName(name);
            return name;
          });
      for (String each : scope.split(",", -1)) {
        scopes.add(Arguments.named("--scope", () -> Scope.of(each.strip())));
      }
    }

    @Override
    Purpose purpose() {
      return Purpose.CREATE;
    }

    @Override
    ExitCode on(ApiKeyStore keys, Output output) {
      PresentedKey key = PresentedKey.generate(new SecureRandom());
      Optional<ApiKey> added =
          keys.add(new ApiKey(key.id(), name, scopes, key.hash(), Instant.EPOCH, null));
      if (added.isEmpty()) {
        String sentence =
            "Refused: there is or was a key of the name " + name + "; take another name.";
        output.answer(
            () -> Output.object().put("status", "EXISTS").put("message", sentence),
            terminal -> terminal.out().println(sentence));
        return ExitCode.REFUSED;
      }
      output.answer(
          () -> document(added.get()).put("key", key.reveal()), terminal -> show(key, terminal));
      return ExitCode.OK;
    }

    private void show(PresentedKey key, Terminal terminal) {
      terminal.out().println("Created " + name + " (" + texts(scopes) + "). The key, this once:");
      terminal.out().println();
      terminal.out().println("  " + key.reveal());
      terminal.out().println();
      terminal
          .out()
          .println(
              "Send it as Authorization: Bearer KEY. Servers that run know it within "
                  + KeyRing.VALID_FOR.toSeconds()
                  + " s.");
    }
  }

  @Command(name = "list", header = "List all keys, revoked ones too; never the keys themselves.")
  static final class ListAll extends KeysCommand {

    @Override
    Purpose purpose() {
      return Purpose.READ;
    }

    @Override
    ExitCode on(ApiKeyStore keys, Output output) {
      output.pages(
          "keys",
          new Output.Paging(null, true),
          cursor -> new Page<>(keys.all(), null),
          KeysCommands::document,
          new Table<ApiKey>()
              .left("name", ApiKey::name)
              .left("id", ApiKey::id)
              .left("scopes", key -> texts(key.orderedScopes()))
              .left("created", key -> key.createdAt().toString())
              .left("revoked", key -> key.active() ? "" : String.valueOf(key.revokedAt())));
      return ExitCode.OK;
    }
  }

  @Command(
      name = "revoke",
      header = "Revoke a key, for ever.",
      description = "Repeating it is safe. Servers that run refuse the key within 5 seconds.")
  static final class Revoke extends KeysCommand {

    @Parameters(paramLabel = "NAME|ID", description = "The key's name, or its id.")
    private String nameOrId = "";

    @Override
    ExitCode on(ApiKeyStore keys, Output output) {
      ApiKey key =
          keys.revoke(nameOrId)
              .orElseThrow(
                  () ->
                      new MisuseException(
                          "NAME|ID",
                          "there is no key " + Text.quote(nameOrId) + "; see partita keys list"));
      output.answer(
          () -> document(key),
          terminal ->
              terminal
                  .out()
                  .println("Key " + key.name() + " is revoked since " + key.revokedAt() + "."));
      return ExitCode.OK;
    }
  }

  private static ObjectNode document(ApiKey key) {
    ObjectNode node = Output.object().put("name", key.name()).put("id", key.id());
    ArrayNode scopes = node.putArray("scopes");
    key.orderedScopes().forEach(scope -> scopes.add(scope.text()));
    node.put("createdAt", key.createdAt().toString());
    return node.put("revokedAt", key.active() ? null : String.valueOf(key.revokedAt()));
  }

  private static String texts(Set<Scope> scopes) {
    return scopes.stream().map(Scope::text).collect(Collectors.joining(", "));
  }
}
