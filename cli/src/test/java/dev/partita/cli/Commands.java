package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Asset;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.cli.connect.KeysSession;
import dev.partita.cli.connect.LedgerSession;
import dev.partita.cli.connect.LedgerSource;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.connect.SchemaSession;
import dev.partita.cli.connect.Target;
import dev.partita.cli.output.Terminal;
import dev.partita.memory.InMemoryLedger;
import dev.partita.server.auth.ApiKeyStore;
import dev.partita.server.auth.ApiKeys;
import dev.partita.server.auth.InMemoryApiKeys;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands in this process against one in-memory ledger. */
final class Commands {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  final Ledger ledger;
  final InMemoryApiKeys keys = new InMemoryApiKeys(Clock.systemUTC());
  private final LedgerSource source;
  final Map<String, String> environment = new HashMap<>();
  int opened;
  int closed;
  @Nullable Target target;
  private String input = "";

  /** What a command left behind. */
  record Ran(int exitCode, String out, String err) {

    JsonNode json() {
      return JSON.readTree(out);
    }

    JsonNode error() {
      return JSON.readTree(err).get("error");
    }

    /** With the error's message in place of the document around it. */
    Ran withPlainError() {
      return err.isEmpty() ? this : new Ran(exitCode, out, error().get("message").stringValue());
    }

    Ran exits(ExitCode expected) {
      assertThat(exitCode).as("exit code; out: %s err: %s", out, err).isEqualTo(expected.number());
      return this;
    }
  }

  Commands() {
    this(new InMemoryLedger(() -> Instant.now().truncatedTo(ChronoUnit.MICROS)));
  }

  Commands(Ledger ledger) {
    this.ledger = ledger;
    this.source = new GivenLedger();
  }

  /** Commands on real databases; there is no one ledger then. */
  Commands(LedgerSource source) {
    this.ledger = new InMemoryLedger(Instant::now);
    this.source = source;
  }

  /** Standard input of the commands to come. */
  void input(String text) {
    input = text;
  }

  /** Runs a command of words without spaces. */
  Ran run(String words) {
    return run(words.split(" ", -1));
  }

  Ran run(String... arguments) {
    return run(false, arguments);
  }

  Ran run(boolean colour, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, colour);
    InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    int code =
        Partita.commandLine(new World(terminal, environment, in, source, () -> false, opened -> {}))
            .execute(arguments);
    terminal.flush();
    return new Ran(code, out.toString(), err.toString());
  }

  Ran ok(String words) {
    return run(words).exits(ExitCode.OK);
  }

  JsonNode json(String words) {
    return ok(words + " --output json").json();
  }

  /** A ledger with EUR, a till without limits, and two wallets that cannot go below zero. */
  Commands withWallets() {
    ledger.register(List.of(Asset.iso("EUR")));
    ledger.open(
        List.of(
            NewAccount.of("till", "EUR").normal(Side.DEBIT),
            NewAccount.of("wallet:1", "EUR").limits(Limits.NOT_NEGATIVE),
            NewAccount.of("wallet:2", "EUR").limits(Limits.NOT_NEGATIVE)));
    return this;
  }

  Commands funded(String amount) {
    ok("transfer post --debit till --credit wallet:1 --asset EUR --key funding --amount " + amount);
    return this;
  }

  /** The surroundings of commands whose output nobody reads. */
  World world() {
    Terminal terminal =
        new Terminal(
            new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false);
    return new World(
        terminal, environment, InputStream.nullInputStream(), source, () -> false, opened -> {});
  }

  LedgerSource source() {
    return source;
  }

  private final class GivenLedger implements LedgerSource {

    @Override
    public LedgerSession open(Target target, Purpose purpose) {
      opened++;
      Commands.this.target = target;
      return new LedgerSession() {
        @Override
        public Ledger ledger() {
          return ledger;
        }

        @Override
        public ApiKeys apiKeys() {
          return keys;
        }

        @Override
        public void close() {
          closed++;
        }
      };
    }

    @Override
    public KeysSession openKeys(Target target, Purpose purpose) {
      opened++;
      return new KeysSession() {
        @Override
        public ApiKeyStore keys() {
          return keys;
        }

        @Override
        public void close() {
          closed++;
        }
      };
    }

    @Override
    public SchemaSession openSchema(Target target, Purpose purpose) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String migrationsSql(String schema) {
      return "CREATE SCHEMA " + schema + ";";
    }

    @Override
    public String grantsSql(String schema, String role) {
      return "GRANT USAGE ON SCHEMA " + schema + " TO " + role + ";";
    }
  }
}
