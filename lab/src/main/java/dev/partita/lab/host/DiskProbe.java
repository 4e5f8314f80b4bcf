package dev.partita.lab.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * What it costs to make 4 KiB durable at the end of a file, on one file system: the floor under
 * every commit there.
 *
 * @param appends how many were timed
 * @param medianMicros of one append with its sync
 * @param p99Micros the same, exceeded by one in a hundred
 */
public record DiskProbe(long appends, double medianMicros, double p99Micros) {

  private static final int APPENDS = 200;
  private static final int BYTES = 4 << 10;
  private static final double NANOS_PER_MICRO = 1_000;

  /**
   * Measures with a file of its own, which is gone afterwards.
   *
   * @param directory a directory on that file system in which this process may make a file
   * @throws IOException if it may not, or the disk is full
   */
  public static DiskProbe of(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "partita-lab-", ".probe");
    long[] nanos = new long[APPENDS];
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocate(BYTES);
      for (int i = 0; i < APPENDS; i++) {
        block.clear();
        long start = System.nanoTime();
        while (block.hasRemaining()) {
          channel.write(block);
        }
        // Without the file's times, as fdatasync does.
        channel.force(false);
        nanos[i] = System.nanoTime() - start;
      }
    } finally {
      Files.deleteIfExists(file);
    }
    Arrays.sort(nanos);
    return new DiskProbe(
        APPENDS, nanos[APPENDS / 2] / NANOS_PER_MICRO, nanos[APPENDS * 99 / 100] / NANOS_PER_MICRO);
  }
}
