package dev.partita.validate.client;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.GroupRef;
import dev.partita.Metadata;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.UpTo;
import dev.partita.validate.client.Journal.Line;
import dev.partita.validate.client.Journal.State;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A journal in a file, for another process to read after the one that wrote it was killed. Each
 * line is the whole of what is known of one transfer; the last line about a transfer counts. A line
 * that was cut off by the kill was never finished, so what it would have said had not happened yet:
 * it is not read.
 */
public final class JournalFile {

  private static final String NONE = "-";
  private static final int FIELDS = 16;

  private JournalFile() {}

  /**
   * Appends lines. What it has written survives a kill of this process, not of the machine.
   * Thread-safe.
   */
  public static final class Writer implements Consumer<Line>, AutoCloseable {
    private final FileOutputStream file;

    /** Begins a file, or goes on with it. */
    public Writer(Path path) throws IOException {
      file = new FileOutputStream(path.toFile(), true);
    }

    @Override
    public void accept(Line line) {
      byte[] text = (text(line) + "\n").getBytes(StandardCharsets.US_ASCII);
      try {
        synchronized (this) {
          file.write(text);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the journal cannot be written", e);
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** Reads a file, each time from where the last time ended. For one thread. */
  public static final class Reader {
    private final Path path;
    private long position;

    /** Begins at the beginning. */
    public Reader(Path path) {
      this.path = path;
    }

    /** Bytes of the file by now, 0 if it is not there. */
    public long size() throws IOException {
      return Files.exists(path) ? Files.size(path) : 0;
    }

    /** Takes the whole lines written since the last time into a journal. */
    public void read(Journal journal) throws IOException {
      if (size() == position) {
        return;
      }
      try (SeekableByteChannel file = Files.newByteChannel(path)) {
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(file.size() - position));
        file.position(position);
        while (buffer.hasRemaining() && file.read(buffer) >= 0) {
          // Until the end as it was when this began.
        }
        String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
        int whole = text.lastIndexOf('\n') + 1;
        position += whole;
        text.substring(0, whole).lines().map(JournalFile::line).forEach(journal::put);
      }
    }
  }

  private static String text(Line line) {
    synchronized (line) {
      TransferRequest request = line.request();
      GroupRef group = line.group();
      String text =
          String.join(
              "\t",
              line.state().name(),
              Boolean.toString(line.wasUnknown()),
              or(line.refusal()),
              or(line.fingerprint()),
              request.id().toString(),
              request.kind().name(),
              or(request.relatedId()),
              or(request.asset()),
              or(request.debit()),
              or(request.credit()),
              or(request.amount() == null ? null : request.amount().toBigInteger()),
              Boolean.toString(request.keepRemainder()),
              or(request.timeoutSeconds()),
              or(group == null ? null : group.id()),
              or(group == null ? null : group.index()),
              or(group == null ? null : group.size()));
      if (!line(text).request().equals(request)) {
        throw new IllegalArgumentException("has fields that the file does not keep: " + request);
      }
      return text;
    }
  }

  private static String or(@Nullable Object value) {
    return value == null ? NONE : value.toString();
  }

  private static Line line(String text) {
    String[] fields = text.split("\t", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("not a line of a journal: " + text);
    }
    TransferKind kind = TransferKind.valueOf(fields[5]);
    TransferRequest request =
        new TransferRequest(
            UUID.fromString(fields[4]),
            kind,
            read(fields[6], UUID::fromString),
            read(fields[7], AssetCode::new),
            read(fields[8], AccountId::new),
            read(fields[9], AccountId::new),
            read(fields[10], amount -> Amount.ofMinor(new BigInteger(amount))),
            UpTo.NONE,
            Boolean.parseBoolean(fields[11]),
            read(fields[12], Integer::valueOf),
            null,
            null,
            null,
            Metadata.EMPTY);
    UUID group = read(fields[13], UUID::fromString);
    Line line =
        new Line(
            request,
            group == null
                ? null
                : new GroupRef(group, Integer.parseInt(fields[14]), Integer.parseInt(fields[15])),
            unheard -> {});
    line.restore(
        State.valueOf(fields[0]),
        Boolean.parseBoolean(fields[1]),
        read(fields[3], Integer::valueOf),
        read(fields[2], TransferStatus::valueOf));
    return line;
  }

  private static <T> @Nullable T read(String field, Function<String, T> reader) {
    return field.equals(NONE) ? null : reader.apply(field);
  }
}
