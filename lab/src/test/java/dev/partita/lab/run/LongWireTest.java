package dev.partita.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LongWireTest {

  private static final int TIMEOUT_MILLIS = 20_000;

  /** Answers every byte with the next one. */
  private static void answer(ServerSocket server) {
    try (Socket client = server.accept()) {
      for (int read = client.getInputStream().read();
          read >= 0;
          read = client.getInputStream().read()) {
        client.getOutputStream().write(read + 1);
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void addsItsRoundTripToEveryAnswerAndChangesNothing() throws Exception {
    Duration roundTrip = Duration.ofMillis(20);
    try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        LongWire wire = LongWire.to(address(server), roundTrip)) {
      Thread.ofVirtual().start(() -> answer(server));
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), wire.port())) {
        client.setSoTimeout(TIMEOUT_MILLIS);
        for (int sent = 1; sent <= 5; sent++) {
          long begin = System.nanoTime();
          client.getOutputStream().write(sent);
          assertThat(client.getInputStream().read()).isEqualTo(sent + 1);
          // Never less; how much more is the machine's business.
          assertThat(System.nanoTime() - begin)
              .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        }
      }
    }
  }

  @Test
  void endsConnectionsWhoseServerIsGone() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    try (LongWire wire =
            LongWire.to(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Duration.ZERO);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), wire.port())) {
      client.setSoTimeout(TIMEOUT_MILLIS);
      int read;
      try {
        read = client.getInputStream().read();
      } catch (IOException e) {
        assertThat(e).isNotInstanceOf(SocketTimeoutException.class);
        read = -1;
      }
      assertThat(read).isEqualTo(-1);
    }
  }

  private static InetSocketAddress address(ServerSocket server) {
    return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
  }
}
