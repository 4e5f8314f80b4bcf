package dev.partita.cli;

import dev.partita.Metadata;
import dev.partita.cli.input.Arguments;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The caller's notes. */
final class MetadataOptions {

  @Option(
      names = "--metadata",
      paramLabel = "KEY=VALUE",
      arity = "1",
      description = "A note; may be repeated.")
  private List<String> metadata = new ArrayList<>();

  Metadata metadata() {
    return Arguments.metadata("--metadata", metadata);
  }

  boolean given() {
    return !metadata.isEmpty();
  }
}
