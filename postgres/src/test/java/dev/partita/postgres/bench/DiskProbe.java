package dev.partita.postgres.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;

/**
 * How long one 8 KiB write and fdatasync takes here, in a preallocated file as WAL segments are.
 */
public final class DiskProbe {
  private static final int PAGE_BYTES = 8_192;
  private static final int PAGES = 2_048;
  private static final int ROUNDS = 4_000;

  private DiskProbe() {}

  /** Takes the directory to probe; the current one by default. */
  public static void main(String[] arguments) throws IOException {
    long[] nanos = sortedNanos(Path.of(arguments.length > 0 ? arguments[0] : "."), ROUNDS);
    System.out.printf(
        Locale.ROOT,
        "8 KiB write + fdatasync: median %d µs, 99th percentile %d µs%n",
        nanos[ROUNDS / 2] / 1_000,
        nanos[ROUNDS * 99 / 100] / 1_000);
  }

  static long[] sortedNanos(Path directory, int rounds) throws IOException {
    Path file = Files.createTempFile(directory, "disk-probe", ".tmp");
    long[] nanos = new long[rounds];
    int pages = Math.min(rounds, PAGES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
      for (int i = 0; i < pages; i++) {
        channel.write(page.clear(), (long) i * PAGE_BYTES);
      }
      channel.force(true);
      for (int i = 0; i < rounds; i++) {
        long start = System.nanoTime();
        channel.write(page.clear(), (long) (i % pages) * PAGE_BYTES);
        channel.force(false);
        nanos[i] = System.nanoTime() - start;
      }
    } finally {
      Files.delete(file);
    }
    Arrays.sort(nanos);
    return nanos;
  }
}
