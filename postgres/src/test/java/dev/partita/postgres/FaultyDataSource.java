package dev.partita.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** A data source whose connections fail at a lane's COMMIT, as the test has planned. */
final class FaultyDataSource {

  /** What happens at one COMMIT. */
  enum Fault {
    /** Nothing unusual. */
    NONE,
    /** The server commits, but its answer never arrives. */
    LOST_REPLY,
    /** The connection breaks before the COMMIT was sent. */
    BROKEN_BEFORE,
    /** An administrator ends the session: the server says FATAL 57P01. */
    TERMINATED,
    /** The server commits, and warns. */
    WARNED,
    /** If the server refuses, it says so in German. */
    IN_GERMAN
  }

  private final DataSource real;
  private final Queue<Fault> planned = new ConcurrentLinkedQueue<>();
  private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
  private final AtomicInteger commits = new AtomicInteger();
  private volatile Fault always = Fault.NONE;
  private final AtomicReference<Runnable> before = new AtomicReference<>();
  private volatile boolean refusing;
  private volatile boolean changed;

  FaultyDataSource(DataSource real) {
    this.real = real;
  }

  /** Plans the next COMMITs. */
  void plan(Fault... faults) {
    planned.addAll(List.of(faults));
  }

  /** What somebody else does right before the next COMMIT. */
  void before(Runnable action) {
    before.set(action);
  }

  /** What happens at every COMMIT that is not planned. */
  void always(Fault fault) {
    always = fault;
  }

  /** Whether new connections are refused. */
  void refuse(boolean value) {
    refusing = value;
  }

  /**
   * Whether every connection, also those that are open, is with another session than before, as
   * with transaction pooling between.
   */
  void changeSessions(boolean value) {
    changed = value;
  }

  /** The connections that nobody has closed, such as the lanes'. */
  List<Connection> kept() throws SQLException {
    List<Connection> kept = new ArrayList<>();
    for (Connection connection : opened) {
      if (!connection.isClosed()) {
        kept.add(connection);
      }
    }
    return kept;
  }

  /** How many COMMITs were tried. */
  int commits() {
    return commits.get();
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          if (!method.getName().equals("getConnection")) {
            return call(real, method, arguments);
          }
          if (refusing) {
            throw new SQLException("refused by the test", "08001");
          }
          return connection((Connection) call(real, method, arguments));
        });
  }

  private Connection connection(Connection first) {
    Connection[] second = {null};
    opened.add(first);
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (changed && second[0] == null) {
            second[0] = real.getConnection();
          }
          Connection inner = changed ? second[0] : first;
          if (changed && method.getName().equals("abort")) {
            first.abort(Runnable::run);
          }
          Object result = call(inner, method, arguments);
          boolean commits =
              method.getName().equals("prepareStatement")
                  && arguments[0].toString().endsWith("COMMIT");
          return commits ? statement(inner, (PreparedStatement) result) : result;
        });
  }

  private PreparedStatement statement(Connection connection, PreparedStatement inner) {
    Fault[] happened = {Fault.NONE};
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) -> {
          return switch (method.getName()) {
            case "execute" -> {
              commits.incrementAndGet();
              Runnable first = before.getAndSet(null);
              if (first != null) {
                first.run();
              }
              Fault next = planned.poll();
              happened[0] = next == null ? always : next;
              yield execute(connection, inner, happened[0]);
            }
            case "getWarnings" ->
                happened[0] == Fault.WARNED ? warning() : call(inner, method, arguments);
            default -> call(inner, method, arguments);
          };
        });
  }

  private boolean execute(Connection connection, PreparedStatement statement, Fault fault)
      throws SQLException {
    return switch (fault) {
      case NONE, WARNED -> statement.execute();
      case LOST_REPLY -> {
        statement.execute();
        throw broken(connection);
      }
      case BROKEN_BEFORE -> throw broken(connection);
      case IN_GERMAN -> {
        try {
          yield statement.execute();
        } catch (PSQLException e) {
          throw new PSQLException(
              new ServerErrorMessage("SFEHLER\0C" + e.getSQLState() + "\0Mverletzt\0"));
        }
      }
      case TERMINATED -> {
        terminate(connection.unwrap(PGConnection.class).getBackendPID());
        yield statement.execute();
      }
    };
  }

  private static SQLException broken(Connection connection) throws SQLException {
    connection.abort(Runnable::run);
    return new SQLException("broken by the test", "08006");
  }

  /** Waits until the session is gone: its last words then wait to be read. */
  private void terminate(int pid) throws SQLException {
    try (Connection other = real.getConnection();
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_terminate_backend(" + pid + ", 60000)");
    }
  }

  private static PSQLWarning warning() {
    return new PSQLWarning(
        new ServerErrorMessage(
            "SWARNING\0C01000\0Mcanceling wait for synchronous replication due to user request\0"));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultyDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
