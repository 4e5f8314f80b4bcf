package dev.partita.validate.suites;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import javax.sql.DataSource;

/**
 * A data source that makes of the engine one that does not ask whether its primary still has
 * standbys: what it would write for that alone, when it connects and before it answers from what it
 * has merely found, is left out.
 */
final class HastySource {

  private static final String BARRIER = ".barrier SET passed";
  private static final String CONFIRMATION = "ROLLBACK; SELECT pg_logical_emit_message";

  private HastySource() {}

  /**
   * Wraps another.
   *
   * @param withoutBarrier whether nothing is written on new connections either
   */
  static DataSource of(DataSource real, boolean withoutBarrier) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object result = call(real, method, arguments);
          return method.getName().equals("getConnection")
              ? connection((Connection) result, withoutBarrier)
              : result;
        });
  }

  private static Connection connection(Connection real, boolean withoutBarrier) {
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (method.getName().equals("prepareStatement")) {
            String sql = arguments[0].toString();
            if (sql.startsWith(CONFIRMATION)) {
              return real.prepareStatement("ROLLBACK");
            }
            if (withoutBarrier && sql.contains(BARRIER)) {
              return passed(real.prepareStatement("SELECT 1"));
            }
          }
          return call(real, method, arguments);
        });
  }

  private static PreparedStatement passed(PreparedStatement real) {
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) ->
            method.getName().equals("executeUpdate") ? 1 : call(real, method, arguments));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
