package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Asset;
import dev.partita.HistoryChangedException;
import dev.partita.LedgerEvent;
import dev.partita.Page;
import dev.partita.UnavailableException;
import dev.partita.json.Amounts;
import dev.partita.json.JsonReader;
import dev.partita.server.http.Limits;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The change feed in pages and as a stream. */
class ChangesApiTest extends ApiTest {

  private static final String CHUNKS_END = "\r\n0\r\n\r\n";

  /** EUR, bank, wallet, a transfer, a change, another transfer. */
  private void givenHistory() {
    givenAccounts();
    post("/v1/transfers", direct(1, "1.50")).ok(201);
    patch("/v1/accounts/wallet", "{\"maxBalance\":\"900\",\"actor\":\"ops\"}").ok(200);
    post("/v1/transfers", direct(2, "2")).ok(201);
  }

  private RawHttp stream(String address, String headers) {
    return stream(server, address, headers);
  }

  private static RawHttp stream(TestServer from, String address, String headers) {
    return new RawHttp(from.server.uri())
        .send(
            "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n%s\r\n"
                .formatted(address, headers));
  }

  /** The values of one field of all events in what a stream sent. */
  private static List<String> fields(String text, String field) {
    List<String> values = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (line.startsWith(field + ": ")) {
        values.add(line.substring(field.length() + 2).strip());
      }
    }
    return values;
  }

  private static String wallet(int change) {
    return "changed:wallet:" + change;
  }

  @Test
  void answersPages() {
    givenHistory();
    Answer first = get("/v1/changes?limit=4").ok(200);
    assertThat(first.text("/events/0/kind")).isEqualTo("ACCOUNT_OPENED");
    assertThat(first.text("/events/1/account/minBalance")).isEqualTo("0.00");
    assertThat(first.text("/events/2/transfer/amount")).isEqualTo("1.50");
    assertThat(first.text("/events/3/id")).isEqualTo(wallet(1));
    assertThat(first.text("/events/3/change/after/maxBalance")).isEqualTo("900.00");

    Answer second = get("/v1/changes?cursor=" + first.text("/next")).ok(200);
    assertThat(second.at("/events").size()).isEqualTo(1);
    assertThat(second.text("/events/0/id")).isEqualTo("transfer:" + id(2));
    Answer again = get("/v1/changes?cursor=" + first.text("/events/2/cursor")).ok(200);
    assertThat(again.text("/events/0/id")).isEqualTo(wallet(1));

    Answer empty = get("/v1/changes?cursor=" + second.text("/next")).ok(200);
    assertThat(empty.at("/events").size()).isZero();
    post("/v1/transfers", direct(3, "3")).ok(201);
    assertThat(get("/v1/changes?amounts=minor&cursor=" + empty.text("/next")).ok(200).body())
        .contains(id(3), "\"300\"");
  }

  @Test
  void streamsWhatThereIsAndWhatComes() {
    givenHistory();
    try (RawHttp raw = stream("/v1/changes", "")) {
      String head = raw.readUntil("\r\n\r\n");
      assertThat(head).startsWith("HTTP/1.1 200").containsIgnoringCase("text/event-stream");
      String before = raw.readUntil(id(2) + "\"") + raw.readUntil("\n\n");
      assertThat(fields(before, "event"))
          .containsExactly(
              "ACCOUNT_OPENED",
              "ACCOUNT_OPENED",
              "TRANSFER_RECORDED",
              "ACCOUNT_CHANGED",
              "TRANSFER_RECORDED");
      post("/v1/transfers", direct(3, "3")).ok(201);
      String after = raw.readUntil("\n\n");
      List<LedgerEvent> events = new ArrayList<>();
      for (String data : fields(before + after, "data")) {
        events.add(
            new JsonReader(Amounts.major(code -> Asset.iso("EUR")))
                .readEvent(new ByteArrayInputStream(data.getBytes(StandardCharsets.UTF_8))));
      }
      assertThat(events)
          .extracting(LedgerEvent::id)
          .endsWith(wallet(1), "transfer:" + id(2), "transfer:" + id(3));
      assertThat(events).extracting(LedgerEvent::cursor).isEqualTo(fields(before + after, "id"));
    }
  }

  @Test
  void goesOnAfterTheLastEventThatAClientNames() {
    givenHistory();
    String cursor = get("/v1/changes?limit=3").ok(200).text("/events/2/cursor");
    String older = get("/v1/changes?limit=1").ok(200).text("/next");
    try (RawHttp raw = stream("/v1/changes?cursor=" + older, "Last-Event-ID: " + cursor + "\r\n")) {
      raw.readUntil("\r\n\r\n");
      String text = raw.readUntil(id(2) + "\"");
      assertThat(fields(text, "event")).containsExactly("ACCOUNT_CHANGED", "TRANSFER_RECORDED");
    }
  }

  private HttpRequest.Builder asStream(String address) {
    return HttpRequest.newBuilder(server.uri(address)).header("Accept", "text/event-stream");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "nonsense", "AAAA", "id: 7"})
  void refusesALastEventIdThatIsNoCursor(String id) {
    givenHistory();
    Answer refused =
        server
            .send(asStream("/v1/changes").header("Last-Event-ID", id))
            .problem(400, "invalid_header");
    assertThat(refused.text("/detail")).startsWith("Last-Event-ID: ");
    server.send(asStream("/v1/changes?cursor=nonsense")).problem(400, "invalid_parameter");
    server.send(asStream("/v1/changes?limit=5")).problem(400, "invalid_parameter");
    get("/v1/changes?cursor=nonsense").problem(400, "invalid_parameter");
  }

  @Test
  void saysThatTheHistoryIsAnother() {
    givenHistory();
    String cursor = get("/v1/changes").ok(200).text("/next");
    try (TestServer other = TestServer.overMemory()) {
      Answer page = other.get("/v1/changes?cursor=" + cursor).problem(410, "history_changed");
      assertThat(page.text("/parameter")).isEqualTo("cursor");
      other
          .send(
              HttpRequest.newBuilder(other.uri("/v1/changes"))
                  .header("Accept", "text/event-stream")
                  .header("Last-Event-ID", cursor))
          .problem(410, "history_changed");
    }
    assertThat(new HistoryChangedException("x").field()).isEqualTo("cursor");
  }

  @Test
  void answersAHeadWithoutAStream() {
    assertThat(
            server
                .send(asStream("/v1/changes").method("HEAD", HttpRequest.BodyPublishers.noBody()))
                .status())
        .isEqualTo(200);
  }

  @Test
  void feedsSoManyStreamsAndNoMore() {
    List<RawHttp> streams = new ArrayList<>();
    try {
      for (int i = 0; i < 64; i++) {
        RawHttp raw = stream("/v1/changes", "");
        streams.add(raw);
        assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200");
      }
      Answer refused = server.send(asStream("/v1/changes")).problem(429, "too_many_streams");
      assertThat(refused.header("Retry-After")).isEqualTo("5");
      get("/v1/changes").ok(200);
    } finally {
      streams.forEach(RawHttp::close);
    }
  }

  @Test
  void endsStreamsAtOnceWhenTheServerStops() {
    givenHistory();
    try (RawHttp raw = stream("/v1/changes", "")) {
      String text = raw.readUntil(id(2) + "\"");
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(server.server::close);
      text += raw.readAll();
      stopped.join();
      assertThat(text).endsWith(CHUNKS_END);
    }
  }

  /** A client that does not read keeps one page waiting, however much there is. */
  @Test
  void waitsForASlowReaderAndThenGoesOn() {
    givenAccounts();
    int transfers = 4_000;
    for (int from = 1; from <= transfers; from += 2_000) {
      StringBuilder items = new StringBuilder("{\"items\":[");
      for (int i = from; i < from + 2_000; i++) {
        items.append(i == from ? "" : ",").append(direct(i, "1"));
      }
      post("/v1/transfers", items.append("]}").toString()).ok(200);
    }
    try (RawHttp slow = stream("/v1/changes", "");
        RawHttp quick = stream("/v1/changes", "")) {
      // While one does not read at all, another is fed to the end.
      assertThat(fields(quick.readUntil(id(transfers) + "\""), "id")).hasSize(transfers + 2);
      List<String> read = fields(slow.readUntil(id(transfers) + "\""), "id");
      assertThat(read).hasSize(transfers + 2).doesNotHaveDuplicates();
    }
  }

  @Test
  void cutsOffAClientThatReadsNothing() throws InterruptedException {
    givenHistory();
    LedgerEvent event = event();
    AtomicInteger pages = new AtomicInteger();
    CompletableFuture<Thread> connection = new CompletableFuture<>();
    // A feed without end: each page is full.
    TestServer endless =
        TestServer.over(
            StubLedger.answering(
                (proxy, method, arguments) -> {
                  if (!method.getName().equals("feed")) {
                    return List.of(Asset.iso("EUR"));
                  }
                  pages.incrementAndGet();
                  connection.complete(Thread.currentThread());
                  return new Page<>(Collections.nCopies((int) arguments[1], event), "next");
                }),
            TestServer.CONFIG.limits(
                new Limits(1_000, 4_096, 10, 100, Duration.ofMillis(400), 10_000)));
    try (RawHttp raw = stream(endless, "/v1/changes", "")) {
      raw.readUntil("\r\n\r\n");
      // The write that stalls ends the connection, and with it the thread that serves it.
      assertThat(connection.join().join(Duration.ofSeconds(60))).isTrue();
      assertThat(raw.readAll()).doesNotEndWith(CHUNKS_END);
      assertThat(pages).as("pages read ahead of the client").hasValueLessThan(1_000);
    } finally {
      endless.close();
    }
  }

  private LedgerEvent event() {
    return new JsonReader(Amounts.major(code -> Asset.iso("EUR")))
        .readEvents(
            new ByteArrayInputStream(
                get("/v1/changes").ok(200).body().getBytes(StandardCharsets.UTF_8)))
        .items()
        .getLast();
  }

  @Test
  void waitsForALedgerThatIsAway() {
    givenHistory();
    LedgerEvent event = event();
    int[] calls = {0};
    TestServer flaky =
        TestServer.over(
            StubLedger.answering(
                (proxy, method, arguments) -> {
                  if (!method.getName().equals("feed")) {
                    return List.of(Asset.iso("EUR"));
                  }
                  calls[0]++;
                  if (calls[0] == 2 || calls[0] == 3) {
                    throw new UnavailableException(
                        UnavailableException.Reason.DATABASE_UNAVAILABLE,
                        UnavailableException.Outcome.NOT_POSTED,
                        "away",
                        null);
                  }
                  return new Page<>(List.of(event), "next");
                }));
    try (RawHttp raw = stream(flaky, "/v1/changes", "")) {
      raw.readUntil("data: ");
      assertThat(raw.readUntil("data: ")).contains("event: TRANSFER_RECORDED");
    } finally {
      flaky.close();
    }
  }
}
