package dev.partita.server;

import dev.partita.Ledger;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Ledgers that do one thing, whatever they are asked. */
final class StubLedger {

  private StubLedger() {}

  /** Throws the failure at every question. */
  static Ledger failing(RuntimeException failure) {
    return answering(
        (proxy, method, arguments) -> {
          throw failure;
        });
  }

  /** Answers every question but {@code close} as the handler says. */
  static Ledger answering(InvocationHandler handler) {
    return (Ledger)
        Proxy.newProxyInstance(
            StubLedger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, method, arguments) ->
                method.getName().equals("close") ? null : handler.invoke(proxy, method, arguments));
  }
}
