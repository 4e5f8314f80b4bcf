package dev.partita.validate.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes over the wire, byte by byte: the test is both the client and the server. */
class TcpProxyWireTest {

  private static final int SSL_REQUEST = 80877103;
  private static final int PROTOCOL_3 = 196608;
  private static final byte[] COMMITTED = "C\0\0\0\013COMMIT\0".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] READY = "Z\0\0\0\005I".getBytes(StandardCharsets.US_ASCII);

  private ServerSocket listener;
  private TcpProxy proxy;

  @BeforeEach
  void open() throws IOException {
    listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    proxy =
        TcpProxy.before(
            List.of((InetSocketAddress) listener.getLocalSocketAddress()), new SplittableRandom(1));
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    listener.close();
  }

  /** Both ends of one connection through the proxy. */
  private final class Wire implements AutoCloseable {
    private final Socket client = new Socket();
    private final Socket server;
    private final DataOutputStream out;
    private final DataInputStream in;

    Wire(int code) throws IOException {
      client.connect(proxy.addresses().getFirst());
      out = new DataOutputStream(client.getOutputStream());
      in = new DataInputStream(client.getInputStream());
      out.writeInt(8);
      out.writeInt(code);
      server = listener.accept();
      assertThat(new DataInputStream(server.getInputStream()).readLong())
          .isEqualTo(8L << 32 | code);
    }

    /** The client says COMMIT, all of which arrives. */
    void commit() throws IOException {
      byte[] message = "Q\0\0\0\013COMMIT\0".getBytes(StandardCharsets.US_ASCII);
      out.write(message);
      assertThat(server.getInputStream().readNBytes(message.length)).isEqualTo(message);
    }

    void answer(byte[]... parts) throws IOException {
      for (byte[] part : parts) {
        server.getOutputStream().write(part);
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  @Test
  void aCutAtTheCommitDoesNotWaitForTheAnswer() throws IOException {
    try (Wire wire = new Wire(PROTOCOL_3)) {
      proxy.cut(Cut.AT_COMMIT);
      wire.commit();
      assertThat(wire.in.read()).isEqualTo(-1);
    }
    assertThat(proxy.cuts(Cut.AT_COMMIT)).isEqualTo(1);
  }

  @Test
  void nothingOfALostAnswerArrives() throws IOException {
    try (Wire wire = new Wire(PROTOCOL_3)) {
      proxy.cut(Cut.ANSWER_LOST);
      wire.commit();
      wire.answer(COMMITTED, READY);
      assertThat(wire.in.readAllBytes()).isEmpty();
    }
    assertThat(proxy.cuts(Cut.ANSWER_LOST)).isEqualTo(1);
  }

  @Test
  void aPartOfATornAnswerArrivesAndNeverAllOfTheRoundTrip() throws IOException {
    Set<Integer> lengths = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      try (Wire wire = new Wire(PROTOCOL_3)) {
        proxy.cut(Cut.ANSWER_TORN);
        wire.commit();
        wire.answer(COMMITTED, READY);
        byte[] arrived = wire.in.readAllBytes();
        assertThat(arrived.length).isBetween(1, COMMITTED.length);
        assertThat(arrived).isEqualTo(Arrays.copyOf(COMMITTED, arrived.length));
        lengths.add(arrived.length);
      }
    }
    assertThat(lengths).hasSizeGreaterThan(6);
    assertThat(proxy.cuts(Cut.ANSWER_TORN)).isEqualTo(100);
  }

  @Test
  void cutsAnEncryptedConnectionAtOnceForItCannotSeeCommits() throws IOException {
    try (Wire wire = new Wire(SSL_REQUEST)) {
      wire.answer(new byte[] {'S'});
      assertThat(wire.in.readByte()).isEqualTo((byte) 'S');
      byte[] secret = "from now on secret".getBytes(StandardCharsets.US_ASCII);
      wire.out.write(secret);
      assertThat(wire.server.getInputStream().readNBytes(secret.length)).isEqualTo(secret);
      proxy.cut(Cut.BEFORE_COMMIT);
      assertThat(wire.in.read()).isEqualTo(-1);
    }
    assertThat(proxy.unreadable()).isEqualTo(1);
    assertThat(proxy.cuts(Cut.ANYWHERE)).isEqualTo(1);
    assertThat(proxy.cuts(Cut.BEFORE_COMMIT)).isZero();
  }
}
