package dev.partita.cli;

import dev.partita.server.log.AccessLog;
import dev.partita.server.log.AccessLog.Format;
import java.io.Writer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether and how requests are logged. */
final class AccessLogOption {

  /** What can be asked for. */
  enum Choice {
    text,
    json,
    off
  }

  @Option(
      names = "--access-log",
      paramLabel = "FORMAT",
      description = {
        "Log each request as a line on standard error: ${COMPLETION-CANDIDATES}.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Choice choice = Choice.off;

  /** Begins to log there, if that was asked for. */
  @Nullable AccessLog start(Writer out) {
    return switch (choice) {
      case text -> AccessLog.start(Format.TEXT, out, AccessLog.LINES_MAX);
      case json -> AccessLog.start(Format.JSON, out, AccessLog.LINES_MAX);
      case off -> null;
    };
  }
}
