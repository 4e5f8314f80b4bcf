package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Threads;
import dev.partita.lab.load.Worker;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A caller with a connection that stays open, which speaks just enough HTTP/1.1 to load a server of
 * ours: one write for a request, and of an answer the status and the words that say what became of
 * each transfer. It is no client for anything else.
 */
final class PlainHttp implements Worker {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int REFUSED = 422;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  private final URI address;
  private final StringBuilder text = new StringBuilder();
  private final String head;
  private @Nullable Socket socket;
  private @Nullable HttpAnswer answer;

  PlainHttp(URI address) {
    this.address = address;
    this.head =
        "POST /v1/transfers?amounts=minor HTTP/1.1\r\nHost: "
            + address.getAuthority()
            + "\r\nContent-Type: application/json\r\nContent-Length: ";
  }

  @Override
  public Threads threads() {
    return Threads.PLATFORM;
  }

  @Override
  public Answer perform(Operation operation) {
    boolean sent = false;
    try {
      HttpAnswer read = connected();
      byte[] request = request(operation);
      sent = true;
      write(request);
      int status = read.next();
      return said(status, read, operation);
    } catch (IOException | UncheckedIOException e) {
      close();
      return Answer.failed(sent ? Outcome.INDETERMINATE : Outcome.TRANSIENT);
    }
  }

  private HttpAnswer connected() throws IOException {
    HttpAnswer open = answer;
    if (open == null) {
      Socket connection = new Socket(address.getHost(), address.getPort());
      connection.setTcpNoDelay(true);
      connection.setSoTimeout((int) PATIENCE.toMillis());
      InputStream in = connection.getInputStream();
      open = new HttpAnswer(in);
      socket = connection;
      answer = open;
    }
    return open;
  }

  private void write(byte[] request) throws IOException {
    Socket connection = socket;
    if (connection == null) {
      throw new IOException("not connected");
    }
    connection.getOutputStream().write(request);
  }

  private byte[] request(Operation operation) {
    text.setLength(0);
    boolean many = operation.size() > 1;
    if (many) {
      text.append("{\"items\":[");
    }
    for (Movement each : operation.movements()) {
      if (text.length() > "{\"items\":[".length()) {
        text.append(',');
      }
      append(each);
    }
    if (many) {
      text.append("]}");
    }
    String body = text.toString();
    return (head + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.ISO_8859_1);
  }

  private void append(Movement movement) {
    text.append("{\"id\":\"").append(movement.id());
    text.append("\",\"kind\":\"DIRECT\",\"asset\":\"").append(PartitaBooks.assetCode());
    text.append("\",\"debit\":\"").append(PartitaBooks.accountId(movement.from()));
    text.append("\",\"credit\":\"").append(PartitaBooks.accountId(movement.to()));
    text.append("\",\"amount\":\"").append(movement.amount()).append("\"}");
  }

  private static Answer said(int status, HttpAnswer read, Operation operation) {
    int size = operation.size();
    return switch (status) {
      case CREATED -> Answer.committed(size);
      case REFUSED -> Answer.of(0, size, 0);
      case OK -> {
        int created = read.count("\"status\":\"CREATED\"");
        int existing = read.count("\"status\":\"EXISTS\"");
        int all = read.count("\"status\":\"");
        yield all == size
            ? Answer.of(created, size - created - existing, existing)
            : Answer.failed(Outcome.ERROR);
      }
      case TOO_MANY -> Answer.failed(Outcome.TIMEOUT);
      case UNAVAILABLE ->
          Answer.failed(
              read.count("\"outcome\":\"UNKNOWN\"") > 0
                  ? Outcome.INDETERMINATE
                  : Outcome.TRANSIENT);
      default -> Answer.failed(Outcome.ERROR);
    };
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    answer = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
