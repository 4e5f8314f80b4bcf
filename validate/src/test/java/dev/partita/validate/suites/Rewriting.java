package dev.partita.validate.suites;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A data source that changes the texts of statements on their way, or ledgers that lie. */
final class Rewriting {

  private Rewriting() {}

  /** Every prepared statement becomes another. */
  static DataSource texts(DataSource real, UnaryOperator<String> rewrite) {
    return connections(
        real,
        (connection, method, arguments) -> {
          if (method.getName().equals("prepareStatement")) {
            arguments[0] = rewrite.apply((String) arguments[0]);
          }
          return call(connection, method, arguments);
        });
  }

  /** Updates with this in their text are not made, and claim to have changed one row. */
  static DataSource skipping(DataSource real, String part) {
    return connections(
        real,
        (connection, method, arguments) -> {
          Object result = call(connection, method, arguments);
          boolean skipped =
              method.getName().equals("prepareStatement") && ((String) arguments[0]).contains(part);
          return skipped ? notExecuted((PreparedStatement) result) : result;
        });
  }

  private static PreparedStatement notExecuted(PreparedStatement real) {
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "executeUpdate" -> 1;
              default -> call(real, method, arguments);
            });
  }

  private static DataSource connections(DataSource real, InvocationHandler onConnection) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object result = call(real, method, arguments);
          if (!method.getName().equals("getConnection")) {
            return result;
          }
          return proxy(
              Connection.class,
              (connection, called, given) -> onConnection.invoke(result, called, given));
        });
  }

  /** Something of one type whose methods are answered by a handler. */
  static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Rewriting.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Calls the real one. */
  static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
