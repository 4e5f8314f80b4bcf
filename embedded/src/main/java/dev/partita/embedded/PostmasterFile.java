package dev.partita.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a server writes about itself into {@code postmaster.pid}. It outlives a killed server, so it
 * proves nothing about the process that has the number now.
 *
 * @param pid number of the main process
 * @param isReady whether it says it accepts connections
 */
record PostmasterFile(long pid, boolean isReady) {

  private static final int STATUS_LINE = 7;

  static Path in(Path dataDirectory) {
    return dataDirectory.resolve("postmaster.pid");
  }

  /** Empty if there is none, or if it is still being written. */
  static Optional<PostmasterFile> read(Path dataDirectory) throws IOException {
    try {
      // The server writes the path of the directory in whatever bytes it has.
      List<String> lines = Files.readAllLines(in(dataDirectory), StandardCharsets.ISO_8859_1);
      if (lines.isEmpty()) {
        return Optional.empty();
      }
      boolean isReady =
          lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
      return Optional.of(new PostmasterFile(Long.parseLong(lines.getFirst().strip()), isReady));
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
