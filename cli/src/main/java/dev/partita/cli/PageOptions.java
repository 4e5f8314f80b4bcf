package dev.partita.cli;

import dev.partita.Page;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much of a long answer is wanted. */
final class PageOptions {

  private static final int ALL_LIMIT = 1_000;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Lines of one page, 1 to 10000. Default: 50.")
  private @Nullable String limit;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Where to go on: the next of an earlier page of the same question.")
  private @Nullable String cursor;

  @Option(names = "--all", description = "Everything from there on.")
  private boolean all;

  Output.Paging paging() {
    return new Output.Paging(cursor, all);
  }

  int limit() {
    int standard = all ? ALL_LIMIT : 50;
    return limit == null ? standard : Arguments.small("--limit", limit, 1, Page.LIMIT_MAX);
  }
}
