package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.connect.SchemaSession;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Text;
import dev.partita.postgres.SchemaStatus;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The ledger's schema in the database. */
@Command(
    name = "schema",
    header = "Create, update and inspect the ledger's schema in a database.",
    subcommands = {
      SchemaCommands.Migrate.class,
      SchemaCommands.Status.class,
      SchemaCommands.Print.class,
      SchemaCommands.Grants.class
    })
final class SchemaCommands extends CommandGroup {

  /** A command on a schema. */
  abstract static class SchemaCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    abstract ExitCode on(Partita root, Output output);

    @Override
    public final Integer call() {
      Partita root = Partita.of(spec);
      return on(root, root.output()).number();
    }
  }

  @Command(
      name = "migrate",
      header = "Create the schema, or bring it to the version of this program.",
      description = {
        "Log in as the role that shall own the tables. The embedded database is migrated by itself"
            + " whenever it is opened; a database of yours only by this command. Afterwards grant"
            + " the rights again: partita schema grants --role ROLE --apply"
      })
  static final class Migrate extends SchemaCommand {
    @Override
    ExitCode on(Partita root, Output output) {
      SchemaStatus before;
      SchemaStatus after;
      try (SchemaSession schema = root.source().openSchema(root.target(), Purpose.CREATE)) {
        before = schema.status();
        after = schema.migrate();
      }
      output.answer(
          () -> {
            ObjectNode node = document(after);
            ArrayNode list = node.putArray("applied");
            before.pending().forEach(list::add);
            return node;
          },
          terminal -> {
            before.pending().forEach(each -> terminal.out().println("Applied " + each + "."));
            terminal.out().println(sentence(after));
          });
      return ExitCode.OK;
    }
  }

  @Command(
      name = "status",
      header = "Show how far the schema is.",
      description = "Exit code 1 if a ledger cannot run on it as it is.")
  static final class Status extends SchemaCommand {
    @Override
    ExitCode on(Partita root, Output output) {
      SchemaStatus status;
      try (SchemaSession schema = root.source().openSchema(root.target(), Purpose.READ)) {
        status = schema.status();
      }
      output.answer(() -> document(status), terminal -> terminal.out().println(sentence(status)));
      return status.usable() ? ExitCode.OK : ExitCode.REFUSED;
    }
  }

  @Command(name = "print", header = "Print the migrations as SQL, for use with a tool of your own.")
  static final class Print extends SchemaCommand {
    @Override
    ExitCode on(Partita root, Output output) {
      String sql = root.source().migrationsSql(root.target().schema());
      output.answer(() -> Output.object().put("sql", sql), terminal -> terminal.out().print(sql));
      return ExitCode.OK;
    }
  }

  @Command(
      name = "grants",
      header = "Print or apply exactly the rights that a role needs to run the ledger.",
      description = "The role must exist. It gets no UPDATE, DELETE or TRUNCATE on records.")
  static final class Grants extends SchemaCommand {
    private static final Pattern ROLE = Pattern.compile("[^\\p{Cntrl}\"]{1,63}");

    @Option(names = "--role", required = true, paramLabel = "ROLE", description = "The role.")
    private String role = "";

    @Option(names = "--apply", description = "Apply them instead of printing.")
    private boolean apply;

    @Override
    ExitCode on(Partita root, Output output) {
      if (!ROLE.matcher(role).matches()) {
        throw new MisuseException("--role", Text.quote(role) + " is not the name of a role");
      }
      String sql = root.source().grantsSql(root.target().schema(), role);
      if (apply) {
        try (SchemaSession schema = root.source().openSchema(root.target(), Purpose.READ)) {
          schema.grant(role);
        }
      }
      output.answer(
          () -> Output.object().put("sql", sql).put("applied", apply),
          terminal -> terminal.out().print(apply ? "Granted to " + role + ".\n" : sql));
      return ExitCode.OK;
    }
  }

  private static ObjectNode document(SchemaStatus status) {
    ObjectNode node = Output.object().put("schema", status.schema());
    node.put("state", status.state().name());
    node.put("version", status.version());
    node.put("latest", status.latest());
    ArrayNode pending = node.putArray("pending");
    status.pending().forEach(pending::add);
    return node;
  }

  private static String sentence(SchemaStatus status) {
    String text = status.describe();
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }
}
