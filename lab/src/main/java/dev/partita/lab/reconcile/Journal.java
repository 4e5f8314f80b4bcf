package dev.partita.lab.reconcile;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.Operation;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What clients know of every transfer after a run: one line for each time a transfer was sent. Kept
 * in memory, 34 bytes a line, written side by side by many threads.
 */
public final class Journal implements Observer {

  /** Beyond this many lines a run is not attributed any more, and so not valid. */
  static final long LINES_MAX = 20_000_000;

  private static final int STRIPES = 8;
  private static final int LINE_BYTES = 34;
  private static final int CHUNK_LINES = 32_768;

  /** What must be stored, in the order in which one line outweighs another of the same transfer. */
  enum Expected {
    /** It was acknowledged. */
    STORED(0),
    /** Nobody knows. */
    EITHER(1),
    /** It was refused, or never sent to be committed. */
    ABSENT(2);

    private final int code;

    Expected(int code) {
      this.code = code;
    }

    /** As a number: the smaller, the more weight. */
    int code() {
      return code;
    }

    private static Expected of(int code) {
      return code == 0 ? STORED : code == 1 ? EITHER : ABSENT;
    }
  }

  /** Told of every line. */
  interface Reader {
    void line(Movement movement, Expected expected, boolean replayed) throws SQLException;
  }

  private final List<List<ByteBuffer>> stripes = new ArrayList<>();
  private final AtomicLong lines = new AtomicLong();
  private final LongAdder committed = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder uncertain = new LongAdder();
  private final LongAdder overflowed = new LongAdder();

  /** With no line. */
  public Journal() {
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new ArrayList<>());
    }
  }

  @Override
  public void ended(Operation operation, Answer answer) {
    committed.add(answer.committed());
    replayed.add(answer.replayed());
    if (lines.addAndGet(operation.size()) > LINES_MAX) {
      overflowed.add(operation.size());
      return;
    }
    Expected expected = expected(operation, answer);
    if (expected == Expected.EITHER) {
      uncertain.add(operation.size() - answer.committed() - answer.replayed());
    }
    List<ByteBuffer> stripe = stripes.get((int) (Thread.currentThread().threadId() % STRIPES));
    synchronized (stripe) {
      for (Movement each : operation.movements()) {
        ByteBuffer chunk = chunk(stripe);
        chunk.putLong(each.id().getMostSignificantBits());
        chunk.putLong(each.id().getLeastSignificantBits());
        chunk.putInt(each.from());
        chunk.putInt(each.to());
        chunk.putLong(each.amount());
        chunk.put((byte) expected.code());
        chunk.put((byte) (answer.replayed() == operation.size() ? 1 : 0));
      }
    }
  }

  private static ByteBuffer chunk(List<ByteBuffer> stripe) {
    if (stripe.isEmpty() || !stripe.getLast().hasRemaining()) {
      stripe.add(ByteBuffer.allocate(CHUNK_LINES * LINE_BYTES));
    }
    return stripe.getLast();
  }

  private static Expected expected(Operation operation, Answer answer) {
    return switch (answer.outcome()) {
      case COMMITTED, REPLAYED, REJECTED -> {
        int stored = answer.committed() + answer.replayed();
        if (stored == operation.size()) {
          yield Expected.STORED;
        }
        // Of a batch that was made in part the client knows only how many.
        yield stored == 0 ? Expected.ABSENT : Expected.EITHER;
      }
      case CONFLICT, TIMEOUT, TRANSIENT, DROPPED -> Expected.ABSENT;
      case INDETERMINATE, ERROR, UNFINISHED -> Expected.EITHER;
    };
  }

  /** Every line, in no order; once nobody writes any more. */
  void read(Reader reader) throws SQLException {
    for (List<ByteBuffer> stripe : stripes) {
      for (ByteBuffer written : stripe) {
        ByteBuffer chunk = written.duplicate().flip();
        while (chunk.hasRemaining()) {
          UUID id = new UUID(chunk.getLong(), chunk.getLong());
          Movement movement = new Movement(id, chunk.getInt(), chunk.getInt(), chunk.getLong());
          reader.line(movement, Expected.of(chunk.get()), chunk.get() == 1);
        }
      }
    }
  }

  /** How many lines it has, repeats among them. */
  public long size() {
    return Math.min(lines.get(), LINES_MAX);
  }

  /** Transfers that clients were told were made, warm-up and drain included. */
  public long committed() {
    return committed.sum();
  }

  /** Answers that said a transfer had been made before. */
  public long replayed() {
    return replayed.sum();
  }

  /** Transfers of which clients do not know whether they were made. */
  long uncertain() {
    return uncertain.sum();
  }

  /** Lines that found no place: then nothing is known for certain. */
  long overflowed() {
    return overflowed.sum();
  }
}
