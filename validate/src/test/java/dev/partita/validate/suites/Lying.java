package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.PostItem;
import java.util.function.Consumer;

/** Ledgers that do something behind a client's back. */
final class Lying {

  private Lying() {}

  /** Does something else with every item, after the real ledger has answered it. */
  static Ledger about(Ledger real, Consumer<PostItem> then) {
    return Rewriting.proxy(
        Ledger.class,
        (self, method, arguments) -> {
          Object answer = Rewriting.call(real, method, arguments);
          if (method.getName().equals("post") && arguments[0] instanceof PostItem item) {
            then.accept(item);
          }
          return answer;
        });
  }
}
