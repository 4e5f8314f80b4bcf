package dev.partita.postgres;

import dev.partita.AccountId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The statements of a look-up. There is a text for each variant, which is a set of the parts below;
 * a part that is not needed is not asked for. Safe for use by several threads.
 *
 * <p>Before it sends a statement the driver waits for the answers to all before it, if it cannot
 * tell how wide a row of this one's may be. It can where all columns are of a fixed size or
 * declared with a largest one. So ids are cast to {@code varchar(n)}.
 */
final class LookUpSql {

  /** Records to resolve or undo. */
  static final int RELATED = 1;

  /** Groups by id. */
  static final int GROUPS = 2;

  /** The holds of groups that are resolved as a whole; only together with {@link #RELATED}. */
  static final int RESOLVED_GROUPS = 4;

  /** Assets by code. */
  static final int ASSETS = 8;

  /** Accounts that others have locked are left out. */
  static final int SKIP_LOCKED = 16;

  /** Accounts by name, beside those by number. */
  static final int NAMES = 32;

  /** Begins a transaction. */
  static final int BEGIN = 64;

  /** Inside a caller's transaction. */
  static final int CALLERS = 128;

  /** States of accounts. */
  static final int STATES = 256;

  /** Whoever skips locked accounts has others to serve: nothing else is waited for either. */
  private static final int SKIPPING_TIMEOUT_MILLIS = 25;

  private static final String ID = "a.id::varchar(" + AccountId.LENGTH_MAX + ")";
  private static final String ASSET_SIZE = "::varchar(16)";

  private final String schema;
  private final Map<Integer, String> texts = new ConcurrentHashMap<>();

  LookUpSql(String schema) {
    this.schema = schema;
  }

  static boolean has(int variant, int part) {
    return (variant & part) != 0;
  }

  /**
   * Whether no request names what is recorded already, but by repeating itself. Then it is only
   * asked whether any of the ids is there, and a repeat pays a round trip for the rest of it: to
   * prepare the whole row for each took longer than all else that is looked up.
   */
  static boolean expectsNewIds(int variant) {
    return (variant & (RELATED | GROUPS | RESOLVED_GROUPS)) == 0;
  }

  /** The statements of one variant, each ended by a semicolon. */
  String text(int variant) {
    return texts.computeIfAbsent(variant, this::makeText);
  }

  private String makeText(int variant) {
    String wanted = wanted(variant);
    StringBuilder out = new StringBuilder(has(variant, BEGIN) ? "BEGIN;\n" : "");
    if (has(variant, SKIP_LOCKED)) {
      out.append("SET LOCAL lock_timeout = ").append(SKIPPING_TIMEOUT_MILLIS).append(";\n");
    }
    // Of a row that had to be waited for, this answers the newest version.
    out.append("SELECT a.no, ").append(ID);
    out.append(", a.min_balance, a.max_balance, a.closed_at IS NOT NULL FROM ")
        .append(schema)
        .append(".account a WHERE a.no = ANY(")
        .append(wanted)
        .append(')');
    if (has(variant, CALLERS)) {
      // Under one snapshot for all statements nothing may be decided: then wait for nothing, and
      // leave no locks behind.
      out.append(" AND current_setting('transaction_isolation') LIKE 'read %'");
    }
    out.append(" ORDER BY a.no FOR NO KEY UPDATE OF a");
    out.append(has(variant, SKIP_LOCKED) ? " SKIP LOCKED;\n" : ";\n");
    if (has(variant, STATES)) {
      out.append(states(wanted)).append(";\n");
    }
    if (!expectsNewIds(variant)) {
      out.append(transfers()).append(";\n");
    }
    if (has(variant, GROUPS)) {
      out.append("SELECT ").append(TransferRows.COLUMNS).append(from());
      out.append("WHERE t.group_id = ANY(?::uuid[]);\n");
    }
    if (has(variant, RELATED)) {
      out.append(resolutions(variant));
    }
    if (has(variant, ASSETS)) {
      out.append("SELECT code").append(ASSET_SIZE).append(" FROM ").append(schema);
      out.append(".asset WHERE code = ANY(?::text[]);\n");
    }
    out.append("SELECT nextval('").append(schema).append(".batch'), clock_timestamp(),");
    out.append(" current_setting('transaction_isolation')");
    out.append("::varchar(16), pg_catalog.pg_backend_pid()");
    if (expectsNewIds(variant)) {
      out.append(", EXISTS (SELECT FROM ").append(schema);
      out.append(".transfer t WHERE t.id = ANY(?::uuid[]))");
    }
    return out.toString();
  }

  /**
   * The states of accounts by their numbers, whether locked or not. Their limits are in what was
   * answered when they were locked.
   */
  String states() {
    return states("?::int[]");
  }

  private String states(String wanted) {
    return """
        SELECT a.no, %ID%, a.asset%SIZE%, a.normal, a.opened_at, s.version, s.recorded_at, s.dp, s.cp, s.dh, s.ch, s.batch
        FROM %SCHEMA%.account a
        LEFT JOIN LATERAL (
          (SELECT t.debit_version AS version, t.recorded_at, t.debit_debits_posted AS dp,
                  t.debit_credits_posted AS cp, t.debit_debits_pending AS dh,
                  t.debit_credits_pending AS ch, t.batch
           FROM %SCHEMA%.transfer t WHERE t.debit_no = a.no
           ORDER BY t.debit_version DESC LIMIT 1)
          UNION ALL
          (SELECT t.credit_version, t.recorded_at, t.credit_debits_posted,
                  t.credit_credits_posted, t.credit_debits_pending, t.credit_credits_pending,
                  t.batch
           FROM %SCHEMA%.transfer t WHERE t.credit_no = a.no
           ORDER BY t.credit_version DESC LIMIT 1)
          ORDER BY version DESC LIMIT 1) s ON true
        WHERE a.no = ANY(%WANTED%)\
        """
        .replace("%ID%", ID)
        .replace("%SIZE%", ASSET_SIZE)
        .replace("%WANTED%", wanted)
        .replace("%SCHEMA%", schema);
  }

  /** Transfers by id with all that was recorded of them. */
  String transfers() {
    return "SELECT " + TransferRows.COLUMNS + from() + "WHERE t.id = ANY(?::uuid[])";
  }

  /** The same, and then a commit of its own if commits wait for standbys; answers the session. */
  String recorded() {
    return transfers()
        + ";\nSELECT pg_catalog.pg_backend_pid(), CASE WHEN"
        + " pg_catalog.current_setting('synchronous_standby_names') <> ''"
        + " THEN pg_catalog.pg_logical_emit_message(true, 'partita', '') END";
  }

  /**
   * Numbers of the accounts to lock, as an array: of an array, an index is asked for each element.
   */
  private String wanted(int variant) {
    if ((variant & (NAMES | RELATED | RESOLVED_GROUPS)) == 0) {
      return "?::int[]";
    }
    StringBuilder out = new StringBuilder("ARRAY(SELECT unnest(?::int[])");
    if (has(variant, NAMES)) {
      out.append(" UNION SELECT x.no FROM ").append(schema);
      out.append(".account x WHERE x.id = ANY(?::text[])");
    }
    if (has(variant, RELATED)) {
      unionAccounts(out, "t.id = ANY(?::uuid[])");
    }
    if (has(variant, RESOLVED_GROUPS)) {
      unionAccounts(out, "t.group_id = ANY(?::uuid[]) AND t.kind = 1");
    }
    return out.append(')').toString();
  }

  private void unionAccounts(StringBuilder out, String condition) {
    for (String column : List.of("debit_no", "credit_no")) {
      out.append(" UNION SELECT t.").append(column).append(" FROM ").append(schema);
      out.append(".transfer t WHERE ").append(condition);
    }
  }

  /**
   * Transfers with their accounts, one by one. An ordinary join may become a walk through all
   * accounts: a plan for every value cannot know how far the one at hand would lead.
   */
  private String from() {
    String account =
        " CROSS JOIN LATERAL (SELECT a.id, a.normal, a.asset FROM "
            + schema
            + ".account a WHERE a.no = t.";
    return " FROM "
        + schema
        + ".transfer t"
        + account
        + "debit_no LIMIT 1) d"
        + account
        + "credit_no LIMIT 1) c ";
  }

  private String resolutions(int variant) {
    String ids =
        has(variant, RESOLVED_GROUPS)
            ? "ARRAY(SELECT unnest(?::uuid[]) UNION ALL SELECT t.id FROM "
                + schema
                + ".transfer t WHERE t.group_id = ANY(?::uuid[]) AND t.kind = 1)"
            : "?::uuid[]";
    String open = "(SELECT h.id FROM " + schema + ".hold h WHERE h.id = w.id LIMIT 1)";
    // What resolved an open hold is not asked for: it may have been captured in many parts, and
    // what remains is known. One by one, as in from().
    return "SELECT h.id, h.remaining FROM "
        + schema
        + ".hold h WHERE h.id = ANY("
        + ids
        + ");\nSELECT r.related_id, r.kind, sum(r.amount),"
        + " bool_or((r.flags & 128) <> 0) FROM "
        + schema
        + ".transfer r WHERE r.related_id = ANY(ARRAY(SELECT w.id FROM unnest("
        + ids
        + ") AS w(id) WHERE "
        + open
        + " IS NULL)) GROUP BY r.related_id, r.kind;\n";
  }
}
