package dev.partita.validate.suites;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Puts something between a ledger and its database. */
final class Proxies {

  /** Something done before a statement is. */
  interface Before {
    void execute(String sql) throws SQLException;
  }

  private Proxies() {}

  /** Connections that prepare other statements than they are asked to. */
  static DataSource rewriting(DataSource real, UnaryOperator<String> rewrite) {
    return connections(real, (sql, connection) -> connection.prepareStatement(rewrite.apply(sql)));
  }

  /** Connections whose prepared statements fail when this says so. */
  static DataSource failing(DataSource real, Before before) {
    return connections(
        real,
        (sql, connection) -> {
          PreparedStatement statement = connection.prepareStatement(sql);
          return proxy(
              PreparedStatement.class,
              (method, arguments) -> {
                if (method.getName().equals("execute")) {
                  before.execute(sql);
                }
                return call(statement, method, arguments);
              });
        });
  }

  /** How a statement is prepared. */
  interface Preparing {
    PreparedStatement prepare(String sql, Connection connection) throws SQLException;
  }

  /** Connections that prepare statements in a way of their own. */
  static DataSource connections(DataSource real, Preparing preparing) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = call(real, method, arguments);
          return result instanceof Connection connection
              ? connection(connection, preparing)
              : result;
        });
  }

  private static Connection connection(Connection real, Preparing preparing) {
    return proxy(
        Connection.class,
        (method, arguments) ->
            method.getName().equals("prepareStatement") && arguments.length == 1
                ? preparing.prepare((String) arguments[0], real)
                : call(real, method, arguments));
  }

  /** What is called instead of a method. */
  interface Handler {
    Object call(Method method, Object[] arguments) throws Throwable;
  }

  static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            Proxies.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> handler.call(method, arguments)));
  }

  static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
