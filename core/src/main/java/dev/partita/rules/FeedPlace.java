package dev.partita.rules;

import dev.partita.HistoryChangedException;
import dev.partita.LedgerEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/**
 * What a cursor of the change feed says: the last event delivered, by its place and by a
 * fingerprint.
 *
 * <p>It says nothing about how far the feed was searched after that event: a number that was handed
 * out but not used may be handed out again after a crash, so only an event that was seen is a firm
 * place to go on from. The fingerprint shows whether the ledger still has that event there. If it
 * has, it has everything before it too, since what precedes a delivered event never changes.
 *
 * @param ledger which ledger gave it out
 * @param batch the last event's batch; {@link #NOTHING} if there was none yet
 * @param kind orders the kinds of events of one batch
 * @param first orders the events of one kind
 * @param second orders them further, or helps to find the event
 * @param third orders them further, or helps to find the event
 * @param fingerprint of the event there
 */
public record FeedPlace(
    UUID ledger, long batch, long kind, long first, long second, long third, long fingerprint) {

  /** The batch of a place before all events. */
  public static final long NOTHING = -1;

  private static final Cursor CURSOR = Cursor.of("feed");
  private static final int NUMBERS = 8;

  /** The place before all events. */
  public static FeedPlace start(UUID ledger) {
    return new FeedPlace(ledger, NOTHING, 0, 0, 0, 0, 0);
  }

  /** The place of an event. */
  public static FeedPlace of(
      UUID ledger, long batch, long kind, long first, long second, long third, LedgerEvent event) {
    return new FeedPlace(
        ledger, batch, kind, first, second, third, fingerprint(event.id(), event.recordedAt()));
  }

  /**
   * The place that a cursor leads to.
   *
   * @throws dev.partita.MisuseException if it is no cursor of a change feed
   */
  public static FeedPlace read(String cursor) {
    Cursor.Position position = CURSOR.read(cursor);
    List<Long> numbers = position.numbers();
    if (numbers.size() != NUMBERS || !position.texts().isEmpty() || numbers.get(2) < NOTHING) {
      throw Cursor.unknownPlace();
    }
    return new FeedPlace(
        new UUID(numbers.get(0), numbers.get(1)),
        numbers.get(2),
        numbers.get(3),
        numbers.get(4),
        numbers.get(5),
        numbers.get(6),
        numbers.get(7));
  }

  /** The cursor that leads here. */
  public String cursor() {
    return CURSOR.write(
        new Cursor.Position(
            List.of(
                ledger.getMostSignificantBits(),
                ledger.getLeastSignificantBits(),
                batch,
                kind,
                first,
                second,
                third,
                fingerprint),
            List.of()));
  }

  /** Whether no event was delivered yet. */
  public boolean isStart() {
    return batch == NOTHING;
  }

  /** Whether the event is the one that was delivered last. */
  public boolean isOf(String eventId, Instant recordedAt) {
    return fingerprint == fingerprint(eventId, recordedAt);
  }

  /** The failure of a cursor whose last event is not where it was. */
  public static HistoryChangedException historyChanged() {
    return new HistoryChangedException(
        "the last event read is not recorded here any more: the ledger was put back to an earlier"
            + " state since. Read the feed from the beginning, without a cursor, and compare event"
            + " ids");
  }

  /** The failure of a cursor that another ledger gave out. */
  public static HistoryChangedException otherLedger() {
    return new HistoryChangedException(
        "was given out by another ledger, or by this one before it was made anew. Read the feed"
            + " from the beginning, without a cursor");
  }

  private static long fingerprint(String eventId, Instant recordedAt) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(
          ByteBuffer.allocate(Long.BYTES)
              .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, recordedAt))
              .flip());
      return ByteBuffer.wrap(digest.digest(eventId.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
