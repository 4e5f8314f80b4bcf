package dev.partita.lab.contender;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/** A way of keeping balances. Immutable. */
public interface Contender {

  /** What it is. */
  Card card();

  /** What it can do beside moving money. */
  default Set<Ability> abilities() {
    return Set.of();
  }

  /** Makes its tables and accounts in an arena, which holds nothing of it yet. */
  Stage stage(Arena arena) throws IOException, SQLException;
}
