package dev.partita.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server that is farther away than it is: forwards connections, and every byte arrives half a
 * round trip after it was sent. It adds no limit to how much is under way. Thread-safe.
 */
final class LongWire implements AutoCloseable {

  private static final int CHUNK_BYTES = 1 << 16;

  private final ServerSocket listener;
  private final InetSocketAddress server;
  private final long oneWayNanos;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private LongWire(ServerSocket listener, InetSocketAddress server, Duration roundTrip) {
    this.listener = listener;
    this.server = server;
    this.oneWayNanos = roundTrip.toNanos() / 2;
  }

  /**
   * Listens on a free port of the loopback interface.
   *
   * @param roundTrip what is added to every round trip to the server
   */
  static LongWire to(InetSocketAddress server, Duration roundTrip) throws IOException {
    LongWire wire =
        new LongWire(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), server, roundTrip);
    Thread.ofVirtual().name("long-wire").start(wire::accept);
    return wire;
  }

  /** Where it listens. */
  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        connect(keep(listener.accept()));
      }
    } catch (IOException e) {
      // Closed.
      closeAll();
    }
  }

  private void connect(Socket near) throws IOException {
    try {
      Socket far = keep(new Socket(server.getAddress(), server.getPort()));
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      carry(near, far);
      carry(far, near);
    } catch (IOException e) {
      // The server is not there now: its client is told as it would be without this wire.
      sockets.remove(near);
      near.close();
    }
  }

  private Socket keep(Socket socket) {
    sockets.add(socket);
    return socket;
  }

  /** What was read, and when it is due at the other end; no bytes at the end. */
  private record Chunk(ByteBuffer bytes, long dueNanos) {}

  private void carry(Socket from, Socket to) {
    BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> read(from, underWay));
    Thread.ofVirtual().start(() -> write(underWay, from, to));
  }

  private void read(Socket from, BlockingQueue<Chunk> underWay) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        underWay.add(
            new Chunk(
                ByteBuffer.wrap(Arrays.copyOf(buffer, read)), System.nanoTime() + oneWayNanos));
      }
    } catch (IOException e) {
      // As good as an end: the other side is told by the closed socket.
    }
    underWay.add(new Chunk(ByteBuffer.allocate(0), System.nanoTime()));
  }

  private void write(BlockingQueue<Chunk> underWay, Socket from, Socket to) {
    try (from;
        to) {
      OutputStream out = to.getOutputStream();
      for (Chunk chunk = underWay.take(); chunk.bytes().hasRemaining(); chunk = underWay.take()) {
        TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
        out.write(chunk.bytes().array());
      }
    } catch (IOException e) {
      // Closed by one of both ends, or by us.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private void closeAll() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    closeAll();
  }
}
