package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Terminal;
import dev.partita.cli.output.Text;
import dev.partita.server.PartitaServer;
import dev.partita.server.ServerConfig;
import dev.partita.server.ServerOperations;
import dev.partita.server.metrics.Meters;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Answers HTTP requests until it is told to end. */
@Command(
    name = "serve",
    header = "Serve the ledger over HTTP.",
    description = {
      "Opens the ledger and answers requests on http://HOST:PORT/v1 until Ctrl-C or SIGTERM; then",
      "it takes up no further request, finishes those under way and ends. Who can reach it can",
      "post: it has no keys and no encryption yet, and so listens to this machine only.",
      "",
      "The API is described by the document it serves: /openapi.yaml"
    },
    footer = {
      "",
      "Examples:",
      "  partita serve",
      "  partita serve --port 8080 --url jdbc:postgresql://localhost/app --user app",
      "  curl http://127.0.0.1:7070/v1/trial-balance"
    })
final class ServeCommand extends LedgerCommand {

  /** Less than the patience of whoever ends the process. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(8);

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Where to listen: 127.0.0.1 (default), ::1 or localhost.")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on; 0 for any that is free. Default: ${DEFAULT-VALUE}.")
  private int port = ServerConfig.PORT_DEFAULT;

  @Mixin private AccessLogOption accessLog = new AccessLogOption();

  @Override
  Purpose purpose() {
    return Purpose.CREATE;
  }

  @Override
  Work prepare() {
    ServerConfig config = config();
    return desk -> serve(desk, config, accessLog);
  }

  private ServerConfig config() {
    ServerConfig config = Arguments.named("--port", () -> ServerConfig.DEFAULT.port(port));
    return Arguments.named("--host", () -> config.address(address()).stopPatience(STOP_PATIENCE));
  }

  private InetAddress address() {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new MisuseException("--host", Text.quote(host) + " is no address of this machine");
    }
  }

  private static ExitCode serve(Desk desk, ServerConfig config, AccessLogOption accessLog) {
    Terminal terminal = desk.output().terminal();
    Meters meters = new Meters();
    ServerOperations operations =
        new ServerOperations(meters, desk.session().watch(meters), accessLog.start(terminal.err()));
    try (PartitaServer server = PartitaServer.start(desk.ledger(), config, operations)) {
      desk.output()
          .answer(
              () -> Output.object().put("uri", server.uri().toString()),
              each -> greet(server.uri(), each));
      terminal.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // That is how it ends; the server has been closed.
      terminal
          .err()
          .println(
              "partita: stopped; requests under way had up to "
                  + STOP_PATIENCE.toSeconds()
                  + " s to finish.");
      terminal.flush();
    }
    return ExitCode.OK;
  }

  private static void greet(URI uri, Terminal terminal) {
    terminal.out().println("Partita listens on " + terminal.styled(Terminal.Style.GOOD, "" + uri));
    terminal.out().println("  curl " + uri + "/v1/assets");
    terminal.out().println("  curl " + uri + "/openapi.yaml");
    terminal.out().println("Ctrl-C ends it.");
  }
}
