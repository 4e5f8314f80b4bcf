package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.connect.LedgerSession;
import dev.partita.cli.connect.LedgerSource;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.connect.Target;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Output;
import dev.partita.cli.settings.Setting;
import dev.partita.cli.settings.Settings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of all commands, and the options that all of them take. */
@Command(
    name = "partita",
    header = "A double-entry ledger on PostgreSQL.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpWidth = 100,
    abbreviateSynopsis = true,
    requiredOptionMarker = '*',
    optionListHeading = "%nOptions (* required):%n",
    parameterListHeading = "%nArguments:%n",
    commandListHeading = "%nCommands:%n",
    versionProvider = Partita.Version.class,
    subcommands = {
      AssetCommands.class,
      AccountCommands.class,
      TransferCommands.class,
      BalanceCommand.class,
      StatementCommand.class,
      FindCommand.class,
      HoldsCommand.class,
      ExpireCommand.class,
      TrialBalanceCommand.class,
      VerifyCommand.class,
      ServeCommand.class,
      KeysCommands.class,
      ValidateCommand.class,
      LabCommands.class,
      ImportCommands.class,
      ExportCommand.class,
      SchemaCommands.class,
      DemoCommand.class,
      HelpCommand.class
    })
final class Partita implements Runnable {

  private static final Pattern SCHEMA_NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  private static final String[] DESCRIPTION = {
    "",
    "Without --url the ledger is in an embedded PostgreSQL in the directory ./partita-data,"
        + " started for the command and stopped after it. With --url it is in a database of yours.",
    "",
    "See: partita help COMMAND, for example partita help transfer post"
  };
  private static final String[] FOOTER = {
    "",
    "Examples:",
    "  partita demo                                  a marketplace, checked to the cent",
    "  partita asset register EUR",
    "  partita account open cash --asset EUR --normal debit",
    "  partita account open wallet:1 --asset EUR --min-balance 0",
    "  partita transfer post --debit cash --credit wallet:1 --amount 25.00 --asset EUR --key top-1",
    "  partita balance wallet:1",
    "  partita statement wallet:1 --output json",
    "",
    "Environment: PARTITA_URL, PARTITA_USER or PGUSER, PARTITA_PASSWORD or PGPASSWORD, NO_COLOR,",
    "PARTITA_DEBUG=1 (stack traces)."
  };

  private final World world;
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "Existing database: jdbc:postgresql://HOST/DATABASE. Default: PARTITA_URL.")
  private @Nullable String url;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "Who logs in there. Default: PARTITA_USER or PGUSER.")
  private @Nullable String user;

  @Option(
      names = "--schema",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "Schema that holds the ledger. Default: partita.")
  private @Nullable String schema;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Directory of the embedded database. Default: ./partita-data.")
  private @Nullable String data;

  @Option(
      names = "--output",
      paramLabel = "FORM",
      scope = ScopeType.INHERIT,
      description = "text (default), or json: one document on standard output.")
  private String form = "text";

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Show where an error comes from.")
  private boolean stackTrace;

  // What a file of settings says, where neither a flag nor the environment does.
  private Map<Setting, String> fileSettings = Map.of();

  Partita(World world) {
    this.world = world;
  }

  static Partita of(CommandSpec spec) {
    return (Partita) spec.root().userObject();
  }

  /** The whole command line. */
  static CommandLine commandLine(World world) {
    CommandLine line = new CommandLine(new Partita(world));
    line.setOut(world.terminal().out());
    line.setErr(world.terminal().err());
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            world.terminal().colour() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    // An account or reference may begin with @; it is never the name of a file to read.
    line.setExpandAtFiles(false);
    line.setParameterExceptionHandler((e, args) -> Failures.report(e, outputFor(world, args)));
    line.setExecutionExceptionHandler(
        (e, command, result) -> {
          Partita root = of(command.getCommandSpec());
          return Failures.report(
              e, root.outputOrText(), root.wantsStackTrace(), world.interrupted().getAsBoolean());
        });
    describe(line.getCommandSpec().usageMessage());
    CommandLine serve = Objects.requireNonNull(line.getSubcommands().get("serve"));
    ServeCommand.addFlags(serve.getCommandSpec());
    return line;
  }

  /** Not in the annotation: its texts would be inherited by every command. */
  private static void describe(CommandLine.Model.UsageMessageSpec usage) {
    usage.description(DESCRIPTION);
    usage.footer(FOOTER);
    usage.exitCodeListHeading("%nExit codes:%n");
    Map<String, String> codes = new LinkedHashMap<>();
    for (ExitCode code : ExitCode.values()) {
      codes.put(Integer.toString(code.number()), code.meaning());
    }
    usage.exitCodeList(codes);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "name a command");
  }

  World world() {
    return world;
  }

  Output output() {
    return new Output(
        world.terminal(), Arguments.choice("--output", form, Form.class) == Form.JSON);
  }

  /** Takes over which ledger is meant from settings that were found elsewhere. */
  void ledgerFrom(Settings settings) {
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    for (Settings.Value value : settings.all()) {
      if (value.setting().ofAllCommands() && value.text() != null) {
        values.put(value.setting(), value.text());
      }
    }
    fileSettings = values;
  }

  /** The flags of all commands that are settings too, as given. */
  Map<Setting, String> ledgerFlags() {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    putIfGiven(flags, Setting.URL, url);
    putIfGiven(flags, Setting.USER, user);
    putIfGiven(flags, Setting.SCHEMA, schema);
    putIfGiven(flags, Setting.DATA, data);
    return flags;
  }

  private static void putIfGiven(
      Map<Setting, String> flags, Setting setting, @Nullable String value) {
    if (value != null) {
      flags.put(setting, value);
    }
  }

  Target target() {
    if (url != null && data != null) {
      throw new MisuseException("--data", "is for the embedded database; leave out --url or it");
    }
    String urlGiven = url == null && data == null ? ownVariable("PARTITA_URL") : url;
    String urlName = url == null ? "PARTITA_URL" : "--url";
    if (urlGiven == null && data == null && fileSettings.containsKey(Setting.URL)) {
      urlGiven = fileSettings.get(Setting.URL);
      urlName = Setting.URL.key();
    }
    if (urlGiven != null && !urlGiven.startsWith("jdbc:postgresql:")) {
      throw new MisuseException(
          urlName, "must begin with jdbc:postgresql: as in jdbc:postgresql://localhost:5432/shop");
    }
    String schemaGiven =
        schema == null ? fileSettings.getOrDefault(Setting.SCHEMA, "partita") : schema;
    if (!SCHEMA_NAME.matcher(schemaGiven).matches()) {
      throw new MisuseException(
          "--schema", "must be 1 to 63 characters a-z, 0-9, _, the first not a digit");
    }
    if (urlGiven == null) {
      return new Target(null, null, null, dataDirectory(), schemaGiven);
    }
    if (user != null && user.isBlank()) {
      throw new MisuseException("--user", "is blank; name who logs in, or leave it out");
    }
    return new Target(
        urlGiven,
        user == null ? userGiven() : user,
        firstVariable("PARTITA_PASSWORD", "PGPASSWORD"),
        dataDirectory(),
        schemaGiven);
  }

  private @Nullable String userGiven() {
    String own = ownVariable("PARTITA_USER");
    String filed = own == null ? fileSettings.get(Setting.USER) : own;
    return filed == null ? variable("PGUSER") : filed;
  }

  /**
   * As {@link #target}, for commands that a database has to be named to on purpose: that it is
   * meant for the ledger is no reason to load it.
   */
  Target targetOnPurpose() {
    Target target = target();
    if (target.url() != null && url == null) {
      throw new MisuseException(
          "PARTITA_URL",
          "names the database of a ledger, and this would load it as hard as it can; name one with"
              + " --url, or with --data where to make an embedded one");
    }
    return target;
  }

  LedgerSession open(Purpose purpose) {
    // Before anything is started: a wrong form must not cost a database.
    output();
    return source().open(target(), purpose);
  }

  LedgerSource source() {
    return world.source();
  }

  private Path dataDirectory() {
    String given = data == null ? fileSettings.getOrDefault(Setting.DATA, "partita-data") : data;
    try {
      if (given.isBlank()) {
        throw new MisuseException("--data", "is blank; name a directory");
      }
      return Path.of(given);
    } catch (InvalidPathException e) {
      throw new MisuseException("--data", "cannot be a directory: " + e.getReason());
    }
  }

  boolean wantsStackTrace() {
    return stackTrace || variable("PARTITA_DEBUG") != null;
  }

  private Output outputOrText() {
    return new Output(world.terminal(), "json".equals(form));
  }

  private @Nullable String firstVariable(String ownName, String otherName) {
    String value = ownVariable(ownName);
    return value == null ? variable(otherName) : value;
  }

  /** A variable of this program's own: empty, it is a mistake, and must not mean another ledger. */
  private @Nullable String ownVariable(String name) {
    String value = world.environment().get(name);
    if (value != null && value.isBlank()) {
      throw new MisuseException(name, "is set, but empty; give it a value or unset it");
    }
    return value;
  }

  /** Empty is like unset, as it is to PostgreSQL's own programs. */
  private @Nullable String variable(String name) {
    String value = world.environment().get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** The form asked for, looked up among arguments that need not have been understood. */
  static Output outputFor(World world, String[] args) {
    boolean json = false;
    for (int i = 0; i < args.length; i++) {
      json |= args[i].equals("--output=json");
      json |= args[i].equals("--output") && i + 1 < args.length && args[i + 1].equals("json");
    }
    return new Output(world.terminal(), json);
  }

  private enum Form {
    TEXT,
    JSON
  }

  /** This program's version, read from the jar: it is written down in one place only. */
  static String version() {
    String version = Partita.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }

  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"partita " + version()};
    }
  }
}
