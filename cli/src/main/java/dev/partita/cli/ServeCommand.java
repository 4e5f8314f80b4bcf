package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Table;
import dev.partita.cli.output.Text;
import dev.partita.cli.settings.Setting;
import dev.partita.cli.settings.Settings;
import dev.partita.server.Security;
import dev.partita.server.ServerConfig;
import dev.partita.server.auth.ApiKeys;
import dev.partita.server.http.Limits;
import dev.partita.server.log.AccessLog.Format;
import dev.partita.server.tls.ServerTls;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Answers HTTP requests until it is told to end. */
@Command(
    name = "serve",
    header = "Serve the ledger over HTTP.",
    description = {
      "Opens the ledger and answers requests on http://HOST:PORT/v1 until Ctrl-C or SIGTERM; then",
      "it takes up no further request, finishes those under way and ends.",
      "",
      "Every request needs an API key once one was created (partita keys create), or with",
      "--require-keys. Without keys whoever can reach the server can post, so it then listens to",
      "this machine only. Each option can also be set in the environment or in a file.",
      "",
      "The API is described by the document it serves: /openapi.yaml"
    },
    footer = {
      "",
      "Examples:",
      "  partita serve",
      "  partita serve --port 8080 --url jdbc:postgresql://localhost/app --user app",
      "  partita serve --host 0.0.0.0 --tls-certificate server.pem --tls-key server-key.pem",
      "  partita serve --config partita.properties --print-config",
      "  curl http://127.0.0.1:7070/v1/trial-balance"
    })
final class ServeCommand extends LedgerCommand {

  private static final int KIB = 1_024;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  @Spec private CommandSpec own = CommandSpec.create();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "File of settings. Default: PARTITA_CONFIG.")
  private @Nullable String file;

  @Option(
      names = "--print-config",
      description = "Show the settings in force and where each comes from, and start nothing.")
  private boolean print;

  /** Gives the command the flags of all settings. */
  static void addFlags(CommandSpec spec) {
    for (Setting setting : Setting.values()) {
      if (!setting.ofAllCommands()) {
        OptionSpec.Builder option =
            OptionSpec.builder(setting.flag())
                .type(String.class)
                .description(
                    setting.meaning()
                        + (setting.byDefault() == null || setting.isSwitch()
                            ? ""
                            : " Default: " + setting.byDefault() + "."));
        spec.addOption(
            setting.isSwitch()
                ? option.arity("0").fallbackValue("true").build()
                : option.arity("1").paramLabel(setting.label()).build());
      }
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    if (!print) {
      return super.call();
    }
    Settings settings = settings();
    config(settings);
    accessLog(settings);
    print(settings, root().output());
    return ExitCode.OK.number();
  }

  @Override
  Purpose purpose() {
    return Purpose.CREATE;
  }

  @Override
  Work prepare() {
    Settings settings = settings();
    ServerConfig config = config(settings);
    Format accessLog = accessLog(settings);
    boolean allowNoKeys = settings.on(Setting.ALLOW_NO_KEYS);
    boolean requireKeys = settings.on(Setting.REQUIRE_KEYS);
    root().ledgerFrom(settings);
    return desk -> {
      ApiKeys keys = desk.session().apiKeys();
      KeyRule rule = KeyRule.of(config.address(), keys.all(), requireKeys, allowNoKeys);
      Security security = config.security();
      ServerConfig secured = config.security(rule.needed() ? security.keys(keys) : security);
      return Serving.until(desk, secured, rule, accessLog, Serving.FIRST_STEPS);
    };
  }

  private Settings settings() {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    flags.putAll(root().ledgerFlags());
    for (Setting setting : Setting.values()) {
      OptionSpec option = own.findOption(setting.flag());
      if (!setting.ofAllCommands() && option != null) {
        String value = option.getValue();
        if (value != null) {
          flags.put(setting, value);
        }
      }
    }
    return Settings.find(flags, root().world().environment(), file);
  }

  private static ServerConfig config(Settings settings) {
    boolean without = settings.on(Setting.ALLOW_NO_KEYS);
    boolean required = settings.on(Setting.REQUIRE_KEYS);
    if (without && required) {
      throw new MisuseException(
          settings.value(Setting.ALLOW_NO_KEYS).name(),
          "contradicts " + settings.value(Setting.REQUIRE_KEYS).name() + "; leave out one");
    }
    Security security = security(settings);
    InetAddress address = address(settings);
    if (!address.isLoopbackAddress()
        && security.tls() == null
        && !settings.on(Setting.ALLOW_PLAIN_HTTP)) {
      throw new MisuseException(
          settings.value(Setting.HOST).name(),
          address.getHostAddress()
              + " can be reached from other machines, and without TLS everybody on the way could"
              + " read keys and change requests; give --tls-certificate and --tls-key or, behind a"
              + " proxy that speaks HTTPS, --allow-plain-http");
    }
    return ServerConfig.DEFAULT
        .address(address)
        .port(settings.number(Setting.PORT, 0, 65_535))
        .limits(limits(settings))
        .stopPatience(settings.time(Setting.STOP_PATIENCE, HOUR))
        .security(security);
  }

  private static Limits limits(Settings settings) {
    return new Limits(
        settings.number(Setting.MAX_BODY_BYTES, KIB, 256 * KIB * KIB),
        settings.number(Setting.MAX_HEADER_BYTES, KIB, KIB * KIB),
        settings.number(Setting.MAX_REQUESTS, 1, 100_000),
        settings.number(Setting.MAX_CONNECTIONS, 1, 1_000_000),
        settings.time(Setting.IDLE_TIMEOUT, DAY),
        settings.number(Setting.MAX_PAGE_ITEMS, 100, 10_000));
  }

  private static Security security(Settings settings) {
    Security security =
        Arguments.named(
            settings.value(Setting.ALLOWED_HOSTS).name(),
            () -> Security.NONE.hosts(settings.names(Setting.ALLOWED_HOSTS)));
    if (settings.on(Setting.ALLOW_NO_KEYS)) {
      security = security.waive(Security.Waiver.KEYS);
    }
    if (settings.on(Setting.ALLOW_PLAIN_HTTP)) {
      security = security.waive(Security.Waiver.TLS);
    }
    return security.tls(tls(settings));
  }

  private static @Nullable ServerTls tls(Settings settings) {
    Path certificate = settings.file(Setting.TLS_CERTIFICATE);
    Path key = settings.file(Setting.TLS_KEY);
    if (certificate == null && key == null) {
      return null;
    }
    if (certificate == null || key == null) {
      throw new MisuseException(
          certificate == null ? Setting.TLS_CERTIFICATE.flag() : Setting.TLS_KEY.flag(),
          "is missing: a certificate and its key go together");
    }
    try {
      return ServerTls.read(certificate, key, Instant.now());
    } catch (MisuseException e) {
      Setting at = "key".equals(e.field()) ? Setting.TLS_KEY : Setting.TLS_CERTIFICATE;
      throw new MisuseException(settings.value(at).name(), e.detail());
    }
  }

  /** How requests are logged; null if they are not. */
  private static @Nullable Format accessLog(Settings settings) {
    return switch (settings.text(Setting.ACCESS_LOG)) {
      case "text" -> Format.TEXT;
      case "json" -> Format.JSON;
      case "off" -> null;
      default ->
          throw new MisuseException(
              settings.value(Setting.ACCESS_LOG).name(),
              Text.quote(settings.text(Setting.ACCESS_LOG)) + " is none of text, json, off");
    };
  }

  private static InetAddress address(Settings settings) {
    Settings.Value host = settings.value(Setting.HOST);
    try {
      return InetAddress.getByName(settings.text(Setting.HOST));
    } catch (UnknownHostException e) {
      throw new MisuseException(
          host.name(), Text.quote(settings.text(Setting.HOST)) + " is no address of this machine");
    }
  }

  private static void print(Settings settings, Output output) {
    output.pages(
        "settings",
        new Output.Paging(null, true),
        cursor -> new Page<>(settings.all(), null),
        value ->
            Output.object()
                .put("key", value.setting().key())
                .put("value", value.shown())
                .put("origin", value.origin()),
        new Table<Settings.Value>()
            .left("key", value -> value.setting().key())
            .left("value", value -> Objects.requireNonNullElse(value.shown(), ""))
            .left("from", Settings.Value::origin));
  }
}
