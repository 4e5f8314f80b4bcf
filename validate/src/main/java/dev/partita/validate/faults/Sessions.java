package dev.partita.validate.faults;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/** Ends sessions of a server, or cancels what they are doing. For one thread. */
public final class Sessions implements AutoCloseable {

  private static final String FIND =
      "SELECT pid FROM pg_stat_activity WHERE application_name = ? AND pid <> pg_backend_pid()"
          + " AND backend_type = 'client backend' ORDER BY pid";

  private final Connection connection;
  private final String applicationName;
  private final SplittableRandom random;
  private final LongAdder ended = new LongAdder();
  private final LongAdder cancelled = new LongAdder();

  /**
   * Looks at the sessions of one application.
   *
   * @param source connections of the same role, under another name
   */
  public Sessions(DataSource source, String applicationName, SplittableRandom random)
      throws SQLException {
    this.connection = source.getConnection();
    this.applicationName = applicationName;
    this.random = random;
  }

  /** Ends one of them at random; answers how many were ended, 0 or 1. */
  public int terminateOne() throws SQLException {
    int hit = signalOne("pg_terminate_backend");
    ended.add(hit);
    return hit;
  }

  /** Cancels what one of them is doing, if it is doing anything; answers 0 or 1. */
  public int cancelOne() throws SQLException {
    int hit = signalOne("pg_cancel_backend");
    cancelled.add(hit);
    return hit;
  }

  /** Sessions ended so far; may be asked by any thread. */
  public long ended() {
    return ended.sum();
  }

  /** Sessions told to cancel so far; may be asked by any thread. */
  public long cancelled() {
    return cancelled.sum();
  }

  private int signalOne(String function) throws SQLException {
    List<Integer> pids = pids();
    if (pids.isEmpty()) {
      return 0;
    }
    return signal(function, pids.get(random.nextInt(pids.size())));
  }

  private int signal(String function, int pid) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + function + "(" + pid + ")")) {
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1) ? 1 : 0;
      }
    }
  }

  /** Cancels whatever waits for a standby; answers how many did. */
  public int cancelStandbyWaits() throws SQLException {
    int hit = 0;
    for (int pid : waitingForStandby()) {
      hit += signal("pg_cancel_backend", pid);
    }
    cancelled.add(hit);
    return hit;
  }

  /** The process numbers of sessions whose commit waits for a standby. */
  public List<Integer> waitingForStandby() throws SQLException {
    return pids(FIND.replace(" ORDER BY", " AND wait_event = 'SyncRep' ORDER BY"));
  }

  /** The process numbers of the sessions there are. */
  public List<Integer> pids() throws SQLException {
    return pids(FIND);
  }

  private List<Integer> pids(String query) throws SQLException {
    List<Integer> pids = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, applicationName);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          pids.add(rows.getInt(1));
        }
      }
    }
    return pids;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
