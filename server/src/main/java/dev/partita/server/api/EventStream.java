package dev.partita.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.partita.Ledger;
import dev.partita.LedgerEvent;
import dev.partita.Page;
import dev.partita.UnavailableException;
import dev.partita.json.EventKind;
import dev.partita.json.JsonDocuments;
import dev.partita.json.JsonWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as the HTML standard says: {@code id} is the cursor after the event, {@code event}
 * its kind, {@code data} its JSON. A comment now and then shows both sides that the other is there.
 */
final class EventStream {

  private static final int PAGE = 100;

  /** Shorter than the time after which proxies give up on a silent connection. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** Between two tries while the ledger does not answer. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final byte[] COMMENT = ":\n\n".getBytes(UTF_8);
  private static final byte[] END = "\n\n".getBytes(UTF_8);

  private final OutputStream out;
  private final JsonWriter writer;

  EventStream(OutputStream out, JsonWriter writer) {
    this.out = out;
    this.writer = writer;
  }

  /**
   * Writes until the watch is closed or the client is gone. What the first page fails with is
   * thrown before anything is written. Later, a ledger that does not answer is waited for.
   *
   * @param from where to begin; null for the first event
   */
  void run(Ledger ledger, FeedWatch watch, @Nullable String from) {
    try {
      Page<LedgerEvent> page = ledger.feed(from, PAGE);
      write(COMMENT);
      out.flush();
      while (!watch.isClosed()) {
        for (LedgerEvent event : page.items()) {
          write(event);
        }
        out.flush();
        page = following(ledger, watch, page);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("the stream was broken off"));
    }
  }

  /** The next page; an empty one at the latest when it is time for a sign of life. */
  private Page<LedgerEvent> following(Ledger ledger, FeedWatch watch, Page<LedgerEvent> page)
      throws IOException, InterruptedException {
    String cursor = Objects.requireNonNull(page.next(), "a feed's page leads on");
    // A page that is not full ends where the feed does: then it is read when there is more.
    if (page.items().size() < PAGE && !watch.await(cursor, HEARTBEAT)) {
      write(COMMENT);
      return new Page<>(page.items().subList(0, 0), cursor);
    }
    try {
      return ledger.feed(cursor, PAGE);
    } catch (UnavailableException e) {
      if (!watch.isClosed()) {
        write(COMMENT);
        out.flush();
        Thread.sleep(PAUSE);
      }
      return new Page<>(page.items().subList(0, 0), cursor);
    }
  }

  private void write(LedgerEvent event) throws IOException {
    write(
        ("id: " + event.cursor() + "\nevent: " + EventKind.of(event) + "\ndata: ").getBytes(UTF_8));
    // Compact JSON has no line breaks: control characters in its texts are escaped.
    write(JsonDocuments.bytes(json -> writer.write(json, event)));
    write(END);
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes, 0, bytes.length);
  }
}
