package dev.partita.postgres;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.Counters;
import dev.partita.Limits;
import dev.partita.TimeSource;
import dev.partita.rules.AccountState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The first round trip of a write: locks the accounts and looks up everything that the decision
 * needs.
 *
 * <p>Several statements travel together, each with a snapshot of its own. The first locks and reads
 * nothing else that can change: a look-up in the same statement would see the state from before the
 * wait for the lock. The state is that of an account's newest record, so it is read by the second.
 */
final class LookUp {

  static final int RELATED = 1;
  private static final int GROUPS = 2;
  static final int RESOLVED_GROUPS = 4;
  private static final int ASSETS = 8;
  static final int SKIP_LOCKED = 16;
  private static final int NAMES = 32;
  static final int BEGIN = 64;
  static final int CALLERS = 128;

  /** Whoever skips locked accounts has others to serve: nothing else is waited for either. */
  private static final int SKIPPING_TIMEOUT_MILLIS = 25;

  private final String schema;
  private final @Nullable TimeSource timeSource;
  private final AccountNumbers numbers;
  private final Set<AssetCode> knownAssets = ConcurrentHashMap.newKeySet();
  private final Map<Integer, String> texts = new ConcurrentHashMap<>();

  LookUp(String schema, @Nullable TimeSource timeSource, AccountNumbers numbers) {
    this.schema = schema;
    this.timeSource = timeSource;
    this.numbers = numbers;
  }

  /** Forgets what was learned from another connection, which may have been to another server. */
  void forget() {
    numbers.clear();
    knownAssets.clear();
  }

  /** Whose transaction the look-up is made in. */
  enum Mode {
    /** A lane's: the look-up begins it, and waits for locked accounts. */
    LANE,
    /** A lane's: the look-up begins it, and leaves out accounts that others have locked. */
    LANE_SKIPPING_LOCKED,
    /** The ledger's own, begun already. */
    OWN,
    /** A caller's, begun already. What it has opened itself may never be: nothing is remembered. */
    CALLERS;

    boolean begins() {
      return this == LANE || this == LANE_SKIPPING_LOCKED;
    }
  }

  /** Locks and looks up. */
  FoundBooks run(Connection connection, Needs needs, Mode mode) throws SQLException {
    boolean learn = mode != Mode.CALLERS;
    // Asked once: a lane that connects again forgets them while this one waits for its answer.
    List<AssetCode> assets = needs.assets.stream().filter(knownAssets::contains).toList();
    List<AssetCode> unknownAssets =
        needs.assets.stream().filter(code -> !assets.contains(code)).toList();
    Map<AccountId, Integer> byNumber = new HashMap<>();
    ArrayLiteral numberList = new ArrayLiteral();
    ArrayLiteral nameList = new ArrayLiteral();
    for (AccountId id : needs.accounts) {
      Integer no = numbers.find(id);
      if (no == null) {
        nameList.addText(id.value());
      } else {
        numberList.add(no.longValue());
        byNumber.put(id, no);
      }
    }
    int variant =
        (needs.related.isEmpty() && needs.resolvedGroups.isEmpty() ? 0 : RELATED)
            | (needs.groups.isEmpty() ? 0 : GROUPS)
            | (needs.resolvedGroups.isEmpty() ? 0 : RESOLVED_GROUPS)
            | (unknownAssets.isEmpty() ? 0 : ASSETS)
            | (byNumber.size() == needs.accounts.size() ? 0 : NAMES)
            | (mode == Mode.LANE_SKIPPING_LOCKED ? SKIP_LOCKED : 0)
            | (mode.begins() ? BEGIN : 0)
            | (mode == Mode.CALLERS ? CALLERS : 0);
    String text = texts.computeIfAbsent(variant, this::text);
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement, variant, needs, numberList, nameList, unknownAssets);
      statement.execute();
      FoundBooks found = read(statement, variant, needs, byNumber, learn);
      assets.forEach(found::addAsset);
      return found;
    }
  }

  /** The statements of one variant, each ended by a semicolon. */
  String text(int variant) {
    String wanted = "a.no = ANY(" + wanted(variant) + ")";
    StringBuilder out = new StringBuilder(has(variant, BEGIN) ? "BEGIN;\n" : "");
    if (has(variant, SKIP_LOCKED)) {
      out.append("SET LOCAL lock_timeout = ").append(SKIPPING_TIMEOUT_MILLIS).append(";\n");
    }
    out.append("SELECT a.no, a.id FROM ").append(schema).append(".account a WHERE ");
    out.append(wanted);
    if (has(variant, CALLERS)) {
      // Under one snapshot for all statements nothing may be decided: then wait for nothing, and
      // leave no locks behind.
      out.append(" AND current_setting('transaction_isolation') LIKE 'read %'");
    }
    out.append(" ORDER BY a.no FOR NO KEY UPDATE OF a");
    out.append(has(variant, SKIP_LOCKED) ? " SKIP LOCKED;\n" : ";\n");
    out.append(
        """
        SELECT a.no, a.id, a.asset, a.normal, a.min_balance, a.max_balance,
               a.closed_at IS NOT NULL, a.opened_at,
               s.version, s.recorded_at, s.dp, s.cp, s.dh, s.ch, s.batch
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
        WHERE %WANTED%;
        """
            .replace("%WANTED%", wanted)
            .replace("%SCHEMA%", schema));
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
      out.append("SELECT code FROM ")
          .append(schema)
          .append(".asset WHERE code = ANY(?::text[]);\n");
    }
    out.append("SELECT nextval('").append(schema).append(".batch'), clock_timestamp(),");
    out.append(" current_setting('transaction_isolation'), pg_catalog.pg_backend_pid()");
    if (expectsNewIds(variant)) {
      out.append(", ARRAY(SELECT t.id FROM ").append(schema);
      out.append(".transfer t WHERE t.id = ANY(?::uuid[]))");
    }
    return out.toString();
  }

  /**
   * Whether no request names what is recorded already, but by repeating itself. Then it is only
   * asked which ids there are, and a repeat pays a round trip for the rest of it: to prepare the
   * whole row for each took longer than all else that is looked up.
   */
  private static boolean expectsNewIds(int variant) {
    return (variant & (RELATED | GROUPS | RESOLVED_GROUPS)) == 0;
  }

  /** Transfers by id with all that was recorded of them. */
  private String transfers() {
    return "SELECT " + TransferRows.COLUMNS + from() + "WHERE t.id = ANY(?::uuid[])";
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

  private static void bind(
      PreparedStatement statement,
      int variant,
      Needs needs,
      ArrayLiteral numberList,
      ArrayLiteral nameList,
      List<AssetCode> unknownAssets)
      throws SQLException {
    List<ArrayLiteral> parameters = new ArrayList<>();
    ArrayLiteral related = uuids(needs.related);
    ArrayLiteral resolvedGroups = uuids(needs.resolvedGroups);
    for (int use = 0; use < 2; use++) {
      parameters.add(numberList);
      if (has(variant, NAMES)) {
        parameters.add(nameList);
      }
      if (has(variant, RELATED)) {
        parameters.add(related);
        parameters.add(related);
      }
      if (has(variant, RESOLVED_GROUPS)) {
        parameters.add(resolvedGroups);
        parameters.add(resolvedGroups);
      }
    }
    if (!expectsNewIds(variant)) {
      parameters.add(uuids(needs.transfers));
    }
    if (has(variant, GROUPS)) {
      parameters.add(uuids(needs.groups));
    }
    for (int use = 0; has(variant, RELATED) && use < 2; use++) {
      parameters.add(related);
      if (has(variant, RESOLVED_GROUPS)) {
        parameters.add(resolvedGroups);
      }
    }
    if (has(variant, ASSETS)) {
      ArrayLiteral codes = new ArrayLiteral();
      unknownAssets.forEach(code -> codes.addText(code.value()));
      parameters.add(codes);
    }
    if (expectsNewIds(variant)) {
      parameters.add(uuids(needs.transfers));
    }
    for (int i = 0; i < parameters.size(); i++) {
      parameters.get(i).bind(statement, i + 1);
    }
  }

  private static ArrayLiteral uuids(Set<UUID> ids) {
    ArrayLiteral list = new ArrayLiteral();
    ids.forEach(list::add);
    return list;
  }

  private FoundBooks read(
      PreparedStatement statement,
      int variant,
      Needs needs,
      Map<AccountId, Integer> byNumber,
      boolean learn)
      throws SQLException {
    FoundBooks found = new FoundBooks();
    UUID[] existing = {};
    readAccounts(statement, found, needs, byNumber, learn);
    if (!expectsNewIds(variant)) {
      readTransfers(next(statement), found);
    }
    if (has(variant, GROUPS)) {
      readTransfers(next(statement), found);
    }
    if (has(variant, RELATED)) {
      readResolutions(statement, found);
    }
    if (has(variant, ASSETS)) {
      try (ResultSet rows = next(statement)) {
        while (rows.next()) {
          AssetCode code = new AssetCode(rows.getString(1));
          if (learn) {
            knownAssets.add(code);
          }
          found.addAsset(code);
        }
      }
    }
    try (ResultSet row = next(statement)) {
      row.next();
      Instant now = timeSource == null ? TransferRows.instant(row, 2) : timeSource.now();
      found.setBatch(
          row.getLong(1), now.truncatedTo(ChronoUnit.MICROS), row.getString(3), row.getInt(4));
      if (expectsNewIds(variant)) {
        existing = (UUID[]) row.getArray(5).getArray();
      }
    }
    if (existing.length > 0) {
      readExisting(statement.getConnection(), existing, found);
    }
    found.complete();
    return found;
  }

  /** What is recorded is never changed, so it may be read after everything else. */
  private void readExisting(Connection connection, UUID[] ids, FoundBooks found)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(transfers())) {
      uuids(Set.of(ids)).bind(statement, 1);
      readTransfers(statement.executeQuery(), found);
    }
  }

  private void readAccounts(
      PreparedStatement statement,
      FoundBooks found,
      Needs needs,
      Map<AccountId, Integer> byNumber,
      boolean learn)
      throws SQLException {
    Set<Integer> lockedNumbers = new HashSet<>();
    try (ResultSet rows = first(statement)) {
      while (rows.next()) {
        lockedNumbers.add(rows.getInt(1));
      }
    }
    try (ResultSet rows = next(statement)) {
      while (rows.next()) {
        int no = rows.getInt(1);
        AccountState state = state(rows);
        found.addNewest(rows.getLong(15));
        AccountId id = state.balance().account();
        if (lockedNumbers.contains(no)) {
          found.addLocked(no, state);
          if (learn) {
            numbers.remember(id, no);
          }
        } else {
          found.addUnconfirmed(id);
        }
      }
    }
    needs.accounts.forEach(found::addNamed);
    for (AccountId id : byNumber.keySet()) {
      if (!found.isLocked(id)) {
        numbers.forget(id);
        found.addUnconfirmed(id);
      }
    }
  }

  private static AccountState state(ResultSet row) throws SQLException {
    long version = row.getLong(9);
    AccountBalance balance =
        new AccountBalance(
            new AccountId(row.getString(2)),
            new AssetCode(row.getString(3)),
            TransferRows.side(row.getInt(4)),
            version,
            version == 0 ? Counters.ZERO : TransferRows.counters(row, 11));
    return new AccountState(
        balance,
        new Limits(Numerics.balanceOrNull(row, 5), Numerics.balanceOrNull(row, 6)),
        row.getBoolean(7),
        TransferRows.instant(row, 8),
        TransferRows.instantOrNull(row, 10));
  }

  private static void readTransfers(ResultSet result, FoundBooks found) throws SQLException {
    try (ResultSet rows = result) {
      while (rows.next()) {
        found.addTransfer(TransferRows.read(rows));
      }
    }
  }

  private static void readResolutions(PreparedStatement statement, FoundBooks found)
      throws SQLException {
    try (ResultSet rows = next(statement)) {
      while (rows.next()) {
        found.addOpenHold(TransferRows.uuid(rows, 1), Numerics.amountOrZero(rows, 2));
      }
    }
    try (ResultSet rows = next(statement)) {
      while (rows.next()) {
        found.addResolution(
            TransferRows.uuid(rows, 1),
            TransferRows.kind(rows.getInt(2)),
            Numerics.amountOrZero(rows, 3),
            rows.getBoolean(4));
      }
    }
  }

  /** The first result that has rows: BEGIN and SET, if they travelled along, have none. */
  private static ResultSet first(PreparedStatement statement) throws SQLException {
    ResultSet rows = statement.getResultSet();
    while (rows == null && statement.getUpdateCount() >= 0) {
      statement.getMoreResults();
      rows = statement.getResultSet();
    }
    return Objects.requireNonNull(rows, "a result for each statement");
  }

  private static ResultSet next(PreparedStatement statement) throws SQLException {
    statement.getMoreResults();
    return Objects.requireNonNull(statement.getResultSet(), "a result for each statement");
  }

  private static boolean has(int variant, int part) {
    return (variant & part) != 0;
  }
}
