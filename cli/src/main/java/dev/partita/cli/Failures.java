package dev.partita.cli;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.UnknownAccountException;
import dev.partita.cli.lab.RunInterruptedException;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.StandardOutput;
import dev.partita.cli.output.Terminal;
import dev.partita.cli.output.Text;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import tools.jackson.databind.node.ObjectNode;

/** Turns exceptions into messages and exit codes. No stack traces unless asked for. */
final class Failures {

  private Failures() {}

  /** A failure in the words of scripts. */
  private record Failure(ExitCode exit, String code, String message, @Nullable String field) {}

  /** Reports a command that could not be run to its end; answers the exit code. */
  static int report(Throwable failure, Output output, boolean stackTrace, boolean interrupted) {
    Failure found = interrupted ? interruption(failure) : classify(failure);
    print(found, output, "");
    if (stackTrace) {
      failure.printStackTrace(output.terminal().err());
    }
    output.terminal().flush();
    return found.exit().number();
  }

  /** Reports arguments that were not understood; answers the exit code. */
  static int report(ParameterException e, Output output) {
    CommandLine command = e.getCommandLine();
    String message = String.valueOf(e.getMessage());
    StringBuilder hint = new StringBuilder();
    if (e instanceof UnmatchedArgumentException unmatched) {
      message = "not understood: " + Text.quote(unmatched.getUnmatched().getFirst());
      List<String> suggestions = unmatched.getSuggestions();
      if (!suggestions.isEmpty()) {
        hint.append("Did you mean: ").append(suggestions.getFirst()).append("?\n");
      }
    }
    hint.append("See: ").append(command.getCommandSpec().qualifiedName()).append(" --help");
    print(new Failure(ExitCode.MISUSE, "misuse", message, null), output, hint.toString());
    return ExitCode.MISUSE.number();
  }

  /**
   * What a command's exit code becomes if its answer was lost. One that says more stays. Without a
   * word where the reader has gone: {@code head} has seen enough, and that is not worth a message.
   */
  static int reportLost(int code, StandardOutput out, Output output) {
    IOException failure = out.failure();
    if (failure == null || code != ExitCode.OK.number()) {
      return code;
    }
    if (out.isPipe()) {
      return ExitCode.READER_GONE.number();
    }
    String message = "the answer could not be written to standard output: " + failure.getMessage();
    print(new Failure(ExitCode.ANSWER_LOST, "answer_lost", message, null), output, "");
    return ExitCode.ANSWER_LOST.number();
  }

  /** After Ctrl-C: what was cut short is not worth a message, an unknown outcome is. */
  private static Failure interruption(Throwable failure) {
    if (failure instanceof RunInterruptedException e) {
      return new Failure(ExitCode.INTERRUPTED, "interrupted", String.valueOf(e.getMessage()), null);
    }
    boolean unknown =
        failure instanceof UnavailableException e
            && e.outcome() == UnavailableException.Outcome.UNKNOWN;
    String message =
        unknown
            ? "interrupted; " + failure.getMessage()
            : "interrupted; what was answered is recorded, the rest is not";
    return new Failure(ExitCode.INTERRUPTED, "interrupted", message, null);
  }

  private static Failure classify(Throwable failure) {
    String message =
        Objects.requireNonNullElse(failure.getMessage(), failure.getClass().getSimpleName());
    return switch (failure) {
      case UnknownAccountException e ->
          new Failure(ExitCode.MISUSE, "unknown_account", message, e.field());
      case MisuseException e -> new Failure(ExitCode.MISUSE, "misuse", message, e.field());
      case UnavailableException e
          when e.reason() == UnavailableException.Reason.WITHDRAWN
              && Thread.currentThread().isInterrupted() ->
          new Failure(ExitCode.INTERRUPTED, "interrupted", "interrupted; nothing was posted", null);
      case UnavailableException e when e.outcome() == UnavailableException.Outcome.UNKNOWN ->
          new Failure(ExitCode.UNKNOWN_OUTCOME, "outcome_unknown", message, null);
      case UnavailableException e ->
          new Failure(
              ExitCode.UNAVAILABLE, e.reason().name().toLowerCase(Locale.ROOT), message, null);
      case CorruptionException e -> new Failure(ExitCode.VIOLATIONS, "corruption", message, null);
      case InterruptedException e ->
          new Failure(ExitCode.INTERRUPTED, "interrupted", message, null);
      default ->
          new Failure(
              ExitCode.INTERNAL,
              "internal_error",
              failure.getClass().getName()
                  + ": "
                  + message
                  + " (a fault of this program; --stacktrace shows where)",
              null);
    };
  }

  private static void print(Failure failure, Output output, String hint) {
    if (output.json()) {
      ObjectNode document = Output.object();
      document
          .putObject("error")
          .put("code", failure.code())
          .put("message", failure.message())
          .put("field", failure.field())
          .put("exitCode", failure.exit().number());
      output.error(document);
      return;
    }
    Terminal terminal = output.terminal();
    terminal.err().println(terminal.styled(Terminal.Style.BAD, "partita: ") + failure.message());
    if (!hint.isEmpty()) {
      terminal.err().println(hint);
    }
    terminal.err().flush();
  }
}
