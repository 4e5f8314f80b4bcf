package dev.partita.cli;

import dev.partita.cli.LedgerCommand.Desk;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Terminal;
import dev.partita.server.PartitaServer;
import dev.partita.server.ServerConfig;
import dev.partita.server.ServerOperations;
import dev.partita.server.log.AccessLog;
import dev.partita.server.log.AccessLog.Format;
import dev.partita.server.metrics.Meters;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Serves a ledger until the command is told to end. */
final class Serving {

  /** What to try on any ledger. */
  static final List<Step> FIRST_STEPS =
      List.of(new Step("/v1/assets", ""), new Step("/openapi.yaml", ""));

  private Serving() {}

  /**
   * Something to try with curl.
   *
   * @param path what to ask for, with its query
   * @param arguments of curl behind it, such as a body; may be empty
   */
  record Step(String path, String arguments) {

    private String command(URI server, String key) {
      String uri = server + path;
      return ("curl " + key + (path.indexOf('?') < 0 ? uri : "'" + uri + "'") + " " + arguments)
          .strip();
    }
  }

  /**
   * Says where the server listens and what to try, and waits to be interrupted.
   *
   * @param accessLog how to log requests; null for not
   * @param steps what to try
   */
  static ExitCode until(
      Desk desk, ServerConfig config, KeyRule rule, @Nullable Format accessLog, List<Step> steps) {
    Terminal terminal = desk.output().terminal();
    Meters meters = new Meters();
    AccessLog log =
        accessLog == null ? null : AccessLog.start(accessLog, terminal.err(), AccessLog.LINES_MAX);
    ServerOperations operations = new ServerOperations(meters, desk.session().watch(meters), log);
    try (PartitaServer server = PartitaServer.start(desk.ledger(), config, operations)) {
      desk.output()
          .answer(
              () ->
                  Output.object()
                      .put("uri", server.uri().toString())
                      .put("keysNeeded", rule.needed()),
              each -> greet(server.uri(), rule, steps, each));
      terminal.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // That is how it ends; the server has been closed.
      terminal
          .err()
          .println(
              "partita: stopped; requests under way had up to "
                  + config.stopPatience().toSeconds()
                  + " s to finish.");
      terminal.flush();
    }
    return ExitCode.OK;
  }

  private static void greet(URI uri, KeyRule rule, List<Step> steps, Terminal terminal) {
    String key = rule.needed() ? "-H \"Authorization: Bearer $PARTITA_KEY\" " : "";
    terminal.out().println("Partita listens on " + terminal.styled(Terminal.Style.GOOD, "" + uri));
    terminal.out().println(rule.sentence());
    steps.forEach(step -> terminal.out().println("  " + step.command(uri, key)));
    terminal.out().println("Ctrl-C ends it.");
  }
}
