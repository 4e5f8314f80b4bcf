package dev.partita.validate.suites;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.validate.Database;
import dev.partita.validate.Run;
import dev.partita.validate.faults.OwnServer;
import dev.partita.validate.faults.Sessions;
import dev.partita.validate.faults.TcpProxy;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every way in which a run can be slowed down. For one thread. */
final class Slownesses implements AutoCloseable {

  private static final Duration DELAY = Duration.ofMillis(20);
  private static final String COMMIT_DELAY_MICROS = "50000";

  private final Sessions sessions;
  private final List<Slowness> all = new ArrayList<>();

  Slownesses(Run run, Database database, TcpProxy proxy) throws SQLException {
    sessions =
        new Sessions(
            database.application("partita-validate-faults"),
            SlowSuite.APPLICATION,
            run.random("sessions"));
    all.add(
        new Simple(
            "round trips take 40 ms longer",
            false,
            () -> proxy.delay(DELAY, DELAY),
            () -> proxy.delay(Duration.ZERO, Duration.ZERO)));
    all.add(new Simple("the network stalls", true, proxy::stall, proxy::resume));
    all.add(
        new Simple(
            "the server cannot be reached",
            true,
            () -> {
              proxy.refuse(true);
              proxy.cutAll();
            },
            () -> proxy.refuse(false)));
    EmbeddedPostgres server = database.server().orElse(null);
    if (server == null) {
      run.fact(
          "left out",
          "slow commits, paused processes and missing standbys: these need a server of the suite's"
              + " own");
      return;
    }
    OwnServer own = new OwnServer(server, database.application("partita-validate-settings"));
    all.add(
        new Simple(
            "every commit waits for 50 ms",
            false,
            () -> {
              own.set("commit_siblings", "0");
              own.set("commit_delay", COMMIT_DELAY_MICROS);
            },
            () -> {
              own.reset("commit_delay", COMMIT_DELAY_MICROS);
              own.reset("commit_siblings", "0");
            }));
    all.add(new Paused(own, sessions));
    all.add(new NoStandby(run, database, own, sessions));
  }

  List<Slowness> all() {
    return all;
  }

  @Override
  public void close() throws SQLException {
    sessions.close();
  }

  /** Something that is done and undone. */
  private interface Step {
    void run() throws IOException, SQLException, InterruptedException;
  }

  private record Simple(String what, boolean holdsUp, Step first, Step last) implements Slowness {
    @Override
    public void begin() throws IOException, SQLException, InterruptedException {
      first.run();
    }

    @Override
    public void end() throws IOException, SQLException, InterruptedException {
      last.run();
    }
  }

  /** The server's processes behind the ledger's connections stand still, whatever they hold. */
  private static final class Paused implements Slowness {
    private final OwnServer server;
    private final Sessions sessions;
    private List<Integer> paused = List.of();

    Paused(OwnServer server, Sessions sessions) {
      this.server = server;
      this.sessions = sessions;
    }

    @Override
    public String what() {
      return "the server's processes are paused";
    }

    @Override
    public boolean holdsUp() {
      return true;
    }

    @Override
    public void begin() throws IOException, SQLException, InterruptedException {
      paused = sessions.pids();
      server.pause(paused);
    }

    @Override
    public void end() throws IOException, InterruptedException {
      server.goOn(paused);
    }
  }
}
