package dev.partita.postgres;

import dev.partita.MisuseException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The rights that roles get on a ledger's schema. Each list first takes away what the role had, so
 * that it ends with exactly these.
 */
final class Grants {

  private static final int NAME_BYTES_MAX = 63;

  /** What {@link #reporting} may read. */
  static final List<String> VIEWS =
      List.of("accounts", "entries", "transfers", "holds", "account_changes", "trial_balance");

  /** What it may call, and what the views call. */
  static final List<String> FUNCTIONS =
      List.of("statement", "schema_version", "major_units", "kind_name");

  private Grants() {}

  /** What the ledger itself needs. */
  static List<String> application(String schema, String role) {
    String to = " TO " + quote(role);
    List<String> statements = revoke(schema, role);
    statements.add("GRANT USAGE ON SCHEMA " + schema + to);
    statements.add("GRANT SELECT ON ALL TABLES IN SCHEMA " + schema + to);
    statements.add(
        "GRANT INSERT ON %1$s.asset, %1$s.account, %1$s.account_change, %1$s.transfer, %1$s.hold"
                .formatted(schema)
            + to);
    statements.add(
        "GRANT UPDATE (min_balance, max_balance, metadata, closed_at, last_change) ON "
            + schema
            + ".account"
            + to);
    statements.add("GRANT UPDATE (remaining), DELETE ON " + schema + ".hold" + to);
    statements.add("GRANT UPDATE (passed) ON " + schema + ".barrier" + to);
    statements.add("GRANT USAGE, SELECT ON SEQUENCE " + schema + ".batch" + to);
    statements.add("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA " + schema + to);
    return statements;
  }

  /** What reports need. */
  static List<String> reporting(String schema, String role) {
    String to = " TO " + quote(role);
    List<String> statements = revoke(schema, role);
    statements.add("GRANT USAGE ON SCHEMA " + schema + to);
    statements.add(
        "GRANT SELECT ON "
            + String.join(", ", VIEWS.stream().map(v -> schema + "." + v).toList())
            + to);
    for (String function : FUNCTIONS) {
      statements.add("GRANT EXECUTE ON FUNCTION " + schema + "." + function + to);
    }
    return statements;
  }

  private static List<String> revoke(String schema, String role) {
    String from = " FROM " + quote(role);
    List<String> statements = new ArrayList<>();
    statements.add("REVOKE ALL ON ALL TABLES IN SCHEMA " + schema + from);
    statements.add("REVOKE ALL ON ALL SEQUENCES IN SCHEMA " + schema + from);
    statements.add("REVOKE ALL ON ALL FUNCTIONS IN SCHEMA " + schema + from);
    statements.add("REVOKE ALL ON SCHEMA " + schema + from);
    return statements;
  }

  /** A role's name in quotes, whatever is in it. */
  static String quote(String role) {
    if (role.isEmpty()
        || role.indexOf('\0') >= 0
        || role.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
      throw new MisuseException("role", "a role name has 1 … 63 bytes and no NUL");
    }
    return '"' + role.replace("\"", "\"\"") + '"';
  }
}
