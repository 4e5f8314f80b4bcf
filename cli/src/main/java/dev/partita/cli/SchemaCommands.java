package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.connect.SchemaSession;
import dev.partita.cli.output.Fields;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Text;
import java.util.List;
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

    abstract void on(Partita root, Output output);

    @Override
    public final Integer call() {
      Partita root = Partita.of(spec);
      on(root, root.output());
      return ExitCode.OK.number();
    }
  }

  @Command(
      name = "migrate",
      header = "Create the schema, or bring it to the version of this program.",
      description = {
        "Log in as the role that shall own the tables. The embedded database is migrated by itself"
            + " whenever it is opened; a database of yours only by this command."
      })
  static final class Migrate extends SchemaCommand {
    @Override
    void on(Partita root, Output output) {
      List<String> applied;
      SchemaSession.Status status;
      try (SchemaSession schema = root.source().openSchema(root.target(), true)) {
        applied = schema.migrate();
        status = schema.status();
      }
      output.answer(
          () -> {
            ObjectNode node = Output.object().put("version", status.current());
            ArrayNode list = node.putArray("applied");
            applied.forEach(list::add);
            return node;
          },
          terminal -> {
            applied.forEach(each -> terminal.out().println("Applied " + each));
            terminal.out().println("The schema is at version " + status.current() + ".");
          });
    }
  }

  @Command(name = "status", header = "Show how far the schema is.")
  static final class Status extends SchemaCommand {
    @Override
    void on(Partita root, Output output) {
      SchemaSession.Status status;
      try (SchemaSession schema = root.source().openSchema(root.target(), false)) {
        status = schema.status();
      }
      output.answer(
          () -> {
            ObjectNode node = Output.object().put("version", status.current());
            node.put("newest", status.newest());
            ArrayNode list = node.putArray("pending");
            status.pending().forEach(list::add);
            return node;
          },
          terminal ->
              new Fields()
                  .add("version", status.current() == null ? "not there" : status.current())
                  .add("newest", status.newest())
                  .add(
                      "pending",
                      status.pending().isEmpty() ? "nothing" : String.join(", ", status.pending()))
                  .print(terminal));
    }
  }

  @Command(name = "print", header = "Print the migrations as SQL, for use with a tool of your own.")
  static final class Print extends SchemaCommand {
    @Override
    void on(Partita root, Output output) {
      String sql = root.source().migrationsSql(root.target().schema());
      output.answer(() -> Output.object().put("sql", sql), terminal -> terminal.out().println(sql));
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
    void on(Partita root, Output output) {
      if (!ROLE.matcher(role).matches()) {
        throw new MisuseException("--role", Text.quote(role) + " is not the name of a role");
      }
      String sql = root.source().grantsSql(root.target().schema(), role);
      if (apply) {
        try (SchemaSession schema = root.source().openSchema(root.target(), false)) {
          schema.applyGrants(role);
        }
      }
      output.answer(
          () -> Output.object().put("sql", sql).put("applied", apply),
          terminal -> terminal.out().println(apply ? "Applied to " + role + "." : sql));
    }
  }
}
