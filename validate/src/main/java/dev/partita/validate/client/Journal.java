package dev.partita.validate.client;

import dev.partita.GroupRef;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the clients know: every transfer they sent and what they were told. It is written down
 * before the ledger sees the request, and again after each answer. Thread-safe.
 */
public final class Journal {

  /** What the client was told last. */
  public enum State {
    /** Sent, and no answer yet, or none that says what became of it. */
    OPEN,
    /** Recorded. */
    RECORDED,
    /** Refused by the rules: nothing is recorded. */
    REFUSED,
    /** The ledger had no answer, and said that nothing is recorded. */
    NOT_POSTED
  }

  /** One transfer. Thread-safe. */
  public static final class Line {
    private final TransferRequest request;
    private final @Nullable GroupRef group;
    private final Consumer<Line> listener;
    private State state = State.OPEN;
    private boolean unknown;
    private @Nullable Transfer recorded;
    private @Nullable Integer fingerprint;
    private @Nullable TransferStatus refusal;

    Line(TransferRequest request, @Nullable GroupRef group, Consumer<Line> listener) {
      this.request = request;
      this.group = group;
      this.listener = listener;
    }

    /** Puts it back as it was written down elsewhere. */
    synchronized void restore(
        State was, boolean wasUnknown, @Nullable Integer shown, @Nullable TransferStatus refused) {
      state = was;
      unknown = wasUnknown;
      fingerprint = shown;
      refusal = refused;
    }

    /** What was asked for. */
    public TransferRequest request() {
      return request;
    }

    /** Its place in its group, or null. */
    public @Nullable GroupRef group() {
      return group;
    }

    /** What the client was told last. */
    public synchronized State state() {
      return state;
    }

    /** The record the client was shown, if it was shown one. */
    public synchronized @Nullable Transfer recorded() {
      return recorded;
    }

    /** Whether its outcome was unknown at some time. */
    public synchronized boolean wasUnknown() {
      return unknown;
    }

    /** Why it was refused, if it was. */
    public synchronized @Nullable TransferStatus refusal() {
      return refusal;
    }

    /**
     * Whether a record is as the client was shown it, as far as the client still knows: of a record
     * that was written to a file it knows a number that stands for the whole.
     */
    public synchronized boolean showed(Transfer record) {
      if (recorded != null) {
        return recorded.equals(record);
      }
      return fingerprint == null || fingerprint == fingerprint(record);
    }

    /** A number that stands for the record shown, or null. */
    synchronized @Nullable Integer fingerprint() {
      return recorded == null ? fingerprint : Integer.valueOf(fingerprint(recorded));
    }

    /** The same in every JVM, unlike the hash of a record with enums. */
    private static int fingerprint(Transfer record) {
      return record.toString().hashCode();
    }

    private synchronized void sendAgain() {
      if (state != State.RECORDED) {
        state = State.OPEN;
      }
      listener.accept(this);
    }

    /** Told that it is recorded, and shown the record. */
    public synchronized void record(Transfer transfer) {
      state = State.RECORDED;
      recorded = transfer;
      listener.accept(this);
    }

    /** Told that it is recorded, of which only the fact was kept. */
    public synchronized void recordUnseen() {
      state = State.RECORDED;
      listener.accept(this);
    }

    /** Told that it is refused. */
    public synchronized void refuse(TransferStatus status) {
      state = State.REFUSED;
      refusal = status;
      listener.accept(this);
    }

    /** Told that nothing was posted. An earlier attempt of unknown outcome stays open. */
    public synchronized void notPosted() {
      if (!unknown) {
        state = State.NOT_POSTED;
      }
      listener.accept(this);
    }

    /** Told that nobody knows. */
    public synchronized void unknown() {
      state = State.OPEN;
      unknown = true;
      listener.accept(this);
    }
  }

  private final Map<UUID, Line> lines = new ConcurrentHashMap<>();
  private final Consumer<Line> listener;

  /** A journal in memory. */
  public Journal() {
    this(line -> {});
  }

  /**
   * A journal that is also kept elsewhere.
   *
   * @param listener given each line whenever something is written on it, before whoever writes goes
   *     on: before the transfer is sent, and after each answer
   */
  public Journal(Consumer<Line> listener) {
    this.listener = listener;
  }

  /**
   * Writes down that a transfer is about to be sent. One that was sent before and whose outcome is
   * not known, or which was refused, is open again.
   */
  public Line sent(TransferRequest request, @Nullable GroupRef group) {
    Line line = lines.computeIfAbsent(request.id(), id -> new Line(request, group, listener));
    line.sendAgain();
    return line;
  }

  /** Takes in a line that was written down elsewhere, in the place of what is known of it here. */
  void put(Line line) {
    lines.put(line.request().id(), line);
  }

  /** What is known of a transfer, or null. */
  public @Nullable Line line(UUID id) {
    return lines.get(id);
  }

  /** How many transfers are written down. */
  public int size() {
    return lines.size();
  }

  /** All lines, in no order. */
  public List<Line> lines() {
    return new ArrayList<>(lines.values());
  }

  /** Lines of which the client does not know what became of them. */
  public List<Line> open() {
    return lines.values().stream().filter(line -> line.state() == State.OPEN).toList();
  }

  /** Forgets everything: it was compared with the ledger. */
  public void clear() {
    lines.clear();
  }
}
