package dev.partita.validate.faults;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One connection through a {@link TcpProxy}: two threads that forward message by message, one each
 * way. Whoever ends first ends both.
 */
final class ProxiedConnection implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int CONNECT_MILLIS = 10_000;

  /** Codes in place of a protocol version, answered with one byte. */
  private static final int SSL_REQUEST = 80877103;

  private static final int GSS_REQUEST = 80877104;

  private static final int STARTUP_BYTES_MAX = 10_000;

  private static final byte[] COMMITTED = "COMMIT\0".getBytes(StandardCharsets.US_ASCII);

  private final TcpProxy proxy;
  private final Socket client;
  private final Socket server = new Socket();
  private final Commits commits = new Commits();
  private final AtomicBoolean isCut = new AtomicBoolean();
  private volatile boolean encrypted;

  /** What is to happen to the answer to the COMMIT that is under way. */
  private volatile @Nullable Cut answerCut;

  ProxiedConnection(TcpProxy proxy, Socket client) {
    this.proxy = proxy;
    this.client = client;
  }

  boolean isEncrypted() {
    return encrypted;
  }

  /** Forwards until one side ends. */
  void run(InetSocketAddress upstream) throws IOException, InterruptedException {
    server.connect(upstream, CONNECT_MILLIS);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    DataInputStream fromClient = in(client);
    DataInputStream fromServer = in(server);
    DataOutputStream toServer = out(server);
    DataOutputStream toClient = out(client);
    startUp(fromClient, fromServer, toServer, toClient);
    Thread answers =
        Thread.ofVirtual()
            .name("proxied-answers")
            .start(() -> until(() -> forwardAnswers(fromServer, toClient)));
    until(() -> forwardRequests(fromClient, toServer));
    answers.join();
  }

  /** Work of one direction. */
  private interface Pump {
    void run() throws IOException, InterruptedException;
  }

  private void until(Pump pump) {
    try (this) {
      pump.run();
    } catch (IOException e) {
      System.getLogger(ProxiedConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "a proxied connection ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Up to the message after which both sides speak whenever they like. */
  private void startUp(
      DataInputStream fromClient,
      DataInputStream fromServer,
      DataOutputStream toServer,
      DataOutputStream toClient)
      throws IOException, InterruptedException {
    while (true) {
      int length = fromClient.readInt();
      int code = fromClient.readInt();
      if (length < 8 || length > STARTUP_BYTES_MAX) {
        throw new IOException("this is not PostgreSQL's protocol");
      }
      byte[] rest = readFully(fromClient, length - 8);
      proxy.gate().pass();
      toServer.writeInt(length);
      toServer.writeInt(code);
      toServer.write(rest);
      toServer.flush();
      if (code != SSL_REQUEST && code != GSS_REQUEST) {
        return;
      }
      int answer = fromServer.read();
      if (answer < 0) {
        throw new EOFException();
      }
      toClient.write(answer);
      toClient.flush();
      if (answer == 'S' || answer == 'G') {
        encrypted = true;
        proxy.countUnreadable();
        return;
      }
    }
  }

  private void forwardRequests(DataInputStream in, DataOutputStream out)
      throws IOException, InterruptedException {
    if (encrypted) {
      copy(in, out, proxy::delayToServer);
      return;
    }
    for (int type = in.read(); type >= 0; type = in.read()) {
      byte[] body = body(in);
      proxy.gate().pass();
      Cut plan = commits.take(type, body) ? proxy.takePlan() : null;
      if (plan == Cut.BEFORE_COMMIT) {
        cut(plan);
        return;
      }
      if (plan == Cut.ANSWER_LOST || plan == Cut.ANSWER_TORN) {
        answerCut = plan;
      }
      if (type == 'S' || type == 'Q') {
        proxy.delayToServer();
      }
      write(out, type, body);
      if (plan == Cut.AT_COMMIT) {
        out.flush();
        cut(plan);
        return;
      }
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  private void forwardAnswers(DataInputStream in, DataOutputStream out)
      throws IOException, InterruptedException {
    if (encrypted) {
      copy(in, out, proxy::delayToClient);
      return;
    }
    for (int type = in.read(); type >= 0; type = in.read()) {
      byte[] body = body(in);
      proxy.gate().pass();
      Cut plan = answerCut;
      if (plan != null && type == 'C' && isCommitted(body)) {
        if (plan == Cut.ANSWER_TORN) {
          tear(out, body);
        }
        cut(plan);
        return;
      }
      if (type == 'Z') {
        // The round trip is over; a COMMIT that failed was not one.
        answerCut = null;
        proxy.delayToClient();
      }
      write(out, type, body);
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  /** Writes a part of the answer to a COMMIT, at most all but the end of the round trip. */
  private void tear(DataOutputStream out, byte[] body) throws IOException {
    int bytes = 1 + proxy.nextInt(body.length + 5);
    byte[] whole = new byte[body.length + 5];
    whole[0] = 'C';
    whole[4] = (byte) (body.length + 4);
    System.arraycopy(body, 0, whole, 5, body.length);
    out.write(whole, 0, bytes);
    out.flush();
  }

  private static boolean isCommitted(byte[] body) {
    return Arrays.equals(body, COMMITTED);
  }

  private void copy(InputStream in, OutputStream out, Delay delay)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      proxy.gate().pass();
      delay.pass();
      out.write(buffer, 0, read);
      out.flush();
    }
  }

  /** Waits as long as is wanted in one direction. */
  private interface Delay {
    void pass() throws InterruptedException;
  }

  private static byte[] body(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 4) {
      throw new IOException("this is not PostgreSQL's protocol");
    }
    return readFully(in, length - 4);
  }

  private static byte[] readFully(DataInputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private static void write(DataOutputStream out, int type, byte[] body) throws IOException {
    out.write(type);
    out.writeInt(body.length + 4);
    out.write(body);
  }

  private static DataInputStream in(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
  }

  private static DataOutputStream out(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
  }

  /** Ends both sides; counted once. */
  void cut(Cut how) {
    if (isCut.compareAndSet(false, true)) {
      proxy.count(how);
    }
    close();
  }

  /** Lets a peer know at once that nobody is here. */
  static void reset(Socket socket) throws IOException {
    try (socket) {
      socket.setSoLinger(true, 0);
    }
  }

  static void closeQuietly(Closeable each) {
    try {
      each.close();
    } catch (IOException e) {
      System.getLogger(ProxiedConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "closing", e);
    }
  }

  @Override
  public void close() {
    closeQuietly(client);
    closeQuietly(server);
  }
}
