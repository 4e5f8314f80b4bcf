package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who gets in, and what they may do there. */
class AccessTest {

  private static Path parent;
  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws Exception {
    parent = OpenTempDirectory.create();
    server =
        EmbeddedPostgres.start(
            EmbeddedPostgresConfig.in(Templates.copyTo(parent.resolve("ledger"))));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    DurableFiles.deleteTree(parent);
  }

  @Test
  void nobodyGetsInWithoutTheRightPassword() {
    for (String user : new String[] {"postgres", "partita_owner", "partita_app"}) {
      for (String password : new String[] {"", "postgres", user}) {
        assertThatThrownBy(() -> Sql.value(new Login(server.jdbcUrl(), user, password), "SELECT 1"))
            .isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void everyLineOfTheAccessRulesDemandsScram() throws Exception {
    assertThat(Sql.column(server.superuser(), "SELECT DISTINCT auth_method FROM pg_hba_file_rules"))
        .containsExactly("scram-sha-256");
    assertThat(
            Sql.column(
                server.superuser(),
                "SELECT DISTINCT left(rolpassword, 14) FROM pg_authid" + " WHERE rolcanlogin"))
        .containsExactly("SCRAM-SHA-256$");
    assertThat(Sql.value(server.superuser(), "SHOW unix_socket_directories")).isEmpty();
  }

  @Test
  void passwordsAreLongDifferentAndHiddenFromOtherUsers() throws Exception {
    Home home = new Home(server.directory());
    Credentials credentials = Credentials.read(home.credentials());
    assertThat(credentials.ownerPassword())
        .hasSizeGreaterThanOrEqualTo(32)
        .isNotEqualTo(credentials.applicationPassword())
        .isNotEqualTo(credentials.superuserPassword());
    for (Path file : new Path[] {home.credentials(), home.log(), home.lock(), home.record()}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .as("%s", file)
          .isEqualTo("rw-------");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(server.dataDirectory())))
        .isEqualTo("rwx------");
    assertThat(server.owner().toString()).doesNotContain(credentials.ownerPassword());
    assertThat(credentials.toString()).doesNotContain(credentials.ownerPassword());
    assertThat(Files.readString(server.logFile()))
        .doesNotContain(credentials.ownerPassword(), "SCRAM-SHA-256$");
  }

  @Test
  void ownerAndApplicationAreNoSuperusersAndTheApplicationMakesNothing() throws Exception {
    assertThat(
            Sql.column(
                server.owner(),
                "SELECT rolname FROM pg_roles WHERE rolsuper OR rolcreaterole"
                    + " OR rolcreatedb OR rolreplication OR rolbypassrls"))
        .containsExactly("postgres");
    Sql.execute(server.owner(), "CREATE SCHEMA of_the_owner", "DROP SCHEMA of_the_owner");
    assertThatThrownBy(() -> Sql.execute(server.application(), "CREATE SCHEMA mine"))
        .hasMessageContaining("permission denied");
    assertThatThrownBy(() -> Sql.execute(server.application(), "CREATE TABLE mine (id int)"))
        .hasMessageContaining("permission denied");
    assertThatThrownBy(() -> Sql.execute(server.application(), "DELETE FROM notes"))
        .hasMessageContaining("permission denied");
    assertThatThrownBy(() -> Sql.execute(server.owner(), "COPY notes TO PROGRAM 'true'"))
        .hasMessageContaining("permission denied");
  }

  @Test
  void listensOnTheLoopbackInterfaceOnly() throws Exception {
    for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress address : network.inetAddresses().toList()) {
        boolean isOurs = address.getHostAddress().equals("127.0.0.1");
        if (!isOurs && !address.isLinkLocalAddress()) {
          assertThatThrownBy(
                  () -> {
                    try (Socket socket = new Socket()) {
                      socket.connect(new InetSocketAddress(address, server.port()), 2_000);
                    }
                  })
              .as("%s", address)
              .isInstanceOf(java.io.IOException.class);
        }
      }
    }
  }

  @Test
  void neverShowsAPasswordToAStrangerOnThePort() throws Exception {
    try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Integer> received =
          CompletableFuture.supplyAsync(() -> bytesAfterPlainDemand(stranger));
      String url = server.jdbcUrl().replace(":" + server.port(), ":" + stranger.getLocalPort());
      assertThatThrownBy(() -> new Login(url, "partita_owner", server.owner().password()).connect())
          .isInstanceOf(SQLException.class);
      assertThat(received.get(20, TimeUnit.SECONDS)).isZero();
    }
  }

  /** Plays a server that asks for the password in clear text; returns how much it is told. */
  private static int bytesAfterPlainDemand(ServerSocket stranger) {
    try (Socket socket = stranger.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readNBytes(in.readInt() - Integer.BYTES);
      OutputStream out = socket.getOutputStream();
      out.write(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 3});
      out.flush();
      return in.readAllBytes().length;
    } catch (java.io.IOException e) {
      return 0;
    }
  }
}
