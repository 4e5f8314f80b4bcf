package dev.partita.postgres;

import static dev.partita.postgres.LookUpSql.ASSETS;
import static dev.partita.postgres.LookUpSql.BEGIN;
import static dev.partita.postgres.LookUpSql.CALLERS;
import static dev.partita.postgres.LookUpSql.GROUPS;
import static dev.partita.postgres.LookUpSql.NAMES;
import static dev.partita.postgres.LookUpSql.RELATED;
import static dev.partita.postgres.LookUpSql.RESOLVED_GROUPS;
import static dev.partita.postgres.LookUpSql.SKIP_LOCKED;
import static dev.partita.postgres.LookUpSql.STATES;
import static dev.partita.postgres.LookUpSql.expectsNewIds;
import static dev.partita.postgres.LookUpSql.has;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.Counters;
import dev.partita.Limits;
import dev.partita.TimeSource;
import dev.partita.postgres.RecordWriter.UnknownCommitException;
import dev.partita.rules.AccountState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The first round trip of a write: locks the accounts and looks up everything that the decision
 * needs.
 *
 * <p>Several statements travel together, each with a snapshot of its own. The first locks, and
 * reads nothing that can change but the rows that it locks: a look-up in the same statement would
 * see the state from before the wait for the lock. The state is that of an account's newest record,
 * so it is read by the second, unless the lane knows it.
 */
final class LookUp {

  /** What the smallest buffers between client and server are sure to hold, with room to spare. */
  private static final int UNREAD_BYTES_MAX = 48_000;

  /** Lengths in text, generously. */
  private static final int UUID_BYTES = 37;

  private static final int NUMBER_BYTES = 11;

  /** An account locked, and its state: two rows with ids, limits and counters of any length. */
  private static final int STATE_BYTES = 750;

  /**
   * Where the records of a batch begin whose number is not known to be its own: if its commit gets
   * no answer and somebody else has that number, a record of the same id is hardly at this place.
   * Others begin at 0, and a place is a smallint.
   */
  private static final int FIRST_INDEX_MAX = 30_000;

  private static final String READ_COMMITTED = "read committed";

  private final LookUpSql sql;
  private final @Nullable TimeSource timeSource;
  private final AccountNumbers numbers;
  private final Set<AssetCode> knownAssets = ConcurrentHashMap.newKeySet();

  LookUp(String schema, @Nullable TimeSource timeSource, AccountNumbers numbers) {
    this.sql = new LookUpSql(schema);
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
    return run(connection, needs, mode, new KnownStates());
  }

  /**
   * Locks and looks up, but for the states that are known: they are used if the number of the batch
   * shows that they hold, and otherwise read after all.
   */
  FoundBooks run(Connection connection, Needs needs, Mode mode, KnownStates known)
      throws SQLException {
    Wanted wanted = wanted(needs, mode, known);
    String text = sql.text(wanted.variant);
    List<ArrayLiteral> parameters = parameters(needs, wanted);
    try (Answers answers =
        isLarge(needs, wanted)
            ? Answers.oneByOne(connection, text, parameters)
            : Answers.together(connection, text, parameters)) {
      return read(connection, answers, needs, wanted, known);
    }
  }

  /**
   * What would be found if nobody else has recorded anything, for requests that only name accounts
   * and assets. The ids are taken for new, and the time is {@link FoundBooks#UNTIMED}: whoever
   * records on this has to make sure of the one, and to read the other under the locks.
   *
   * @return null if it is not known, or not likely
   */
  @Nullable FoundBooks assume(Needs needs, KnownStates known) {
    if (timeSource != null || !known.isAlone() || !knownAssets.containsAll(needs.assets)) {
      return null;
    }
    FoundBooks assumed = new FoundBooks();
    for (AccountId id : needs.accounts) {
      KnownStates.Known account = known.find(id);
      if (account == null) {
        return null;
      }
      assumed.addNamed(id);
      assumed.addLocked(account.no(), account.state());
    }
    needs.assets.forEach(assumed::addAsset);
    assumed.setBatch(known.nextBatch(), FoundBooks.UNTIMED, READ_COMMITTED, known.session());
    assumed.setFirstIndex(ThreadLocalRandom.current().nextInt(1, FIRST_INDEX_MAX));
    return assumed;
  }

  /**
   * What is asked for.
   *
   * @param variant parts of the statement
   * @param mode whose transaction it is in
   * @param numbers of the accounts that have a known one
   * @param names of the others
   * @param states that are known, and not asked for
   * @param assets that are known
   * @param unknownAssets the others
   */
  private record Wanted(
      int variant,
      Mode mode,
      Map<AccountId, Integer> numbers,
      List<AccountId> names,
      Map<Integer, AccountState> states,
      List<AssetCode> assets,
      List<AssetCode> unknownAssets) {

    boolean learns() {
      return mode != Mode.CALLERS;
    }

    boolean asks(int part) {
      return has(variant, part);
    }

    ArrayLiteral numbersWithoutState() {
      return ArrayLiteral.of(
          numbers.values().stream().filter(no -> !states.containsKey(no)).toList());
    }

    ArrayLiteral nameList() {
      ArrayLiteral list = new ArrayLiteral();
      names.forEach(id -> list.addText(id.value()));
      return list;
    }
  }

  private Wanted wanted(Needs needs, Mode mode, KnownStates known) {
    // Asked once: a lane that connects again forgets them while this one waits for its answer.
    List<AssetCode> assets = needs.assets.stream().filter(knownAssets::contains).toList();
    List<AssetCode> unknownAssets =
        needs.assets.stream().filter(code -> !assets.contains(code)).toList();
    Map<AccountId, Integer> byNumber = new LinkedHashMap<>();
    List<AccountId> names = new ArrayList<>();
    Map<Integer, AccountState> states = new HashMap<>();
    for (AccountId id : needs.accounts) {
      Integer no = numbers.find(id);
      if (no == null) {
        names.add(id);
      } else {
        byNumber.put(id, no);
        KnownStates.Known account = known.find(id);
        if (account != null && account.no() == no) {
          states.put(no, account.state());
        }
      }
    }
    int more =
        (needs.related.isEmpty() && needs.resolvedGroups.isEmpty() ? 0 : RELATED)
            | (needs.groups.isEmpty() ? 0 : GROUPS)
            | (needs.resolvedGroups.isEmpty() ? 0 : RESOLVED_GROUPS)
            | (names.isEmpty() ? 0 : NAMES);
    int variant =
        more
            | (unknownAssets.isEmpty() ? 0 : ASSETS)
            | (more == 0 && states.size() == byNumber.size() ? 0 : STATES)
            | (mode == Mode.LANE_SKIPPING_LOCKED ? SKIP_LOCKED : 0)
            | (mode.begins() ? BEGIN : 0)
            | (mode == Mode.CALLERS ? CALLERS : 0);
    return new Wanted(variant, mode, byNumber, names, states, assets, unknownAssets);
  }

  /**
   * Whether both what is sent and what comes back may be more than the sockets' buffers hold: sent
   * together, client and server could each wait for the other to read. The driver guards against
   * that only for statements it knows already, and counts one row for each.
   */
  private static boolean isLarge(Needs needs, Wanted wanted) {
    int nameBytes = wanted.names.stream().mapToInt(id -> id.value().length()).sum();
    int ids = needs.transfers.size() + needs.groups.size();
    int resolved = needs.related.size() + needs.resolvedGroups.size();
    int sent =
        ids * UUID_BYTES
            + resolved * UUID_BYTES * 6
            + 2 * (needs.accounts.size() * NUMBER_BYTES + nameBytes);
    int received = (needs.accounts.size() + 2 * needs.related.size()) * STATE_BYTES;
    return sent > UNREAD_BYTES_MAX && received > UNREAD_BYTES_MAX;
  }

  private static List<ArrayLiteral> parameters(Needs needs, Wanted wanted) {
    List<ArrayLiteral> parameters = new ArrayList<>();
    ArrayLiteral related = ArrayLiteral.of(needs.related);
    ArrayLiteral resolvedGroups = ArrayLiteral.of(needs.resolvedGroups);
    ArrayLiteral names = wanted.nameList();
    for (int use = 0; use < (wanted.asks(STATES) ? 2 : 1); use++) {
      parameters.add(
          use == 0 ? ArrayLiteral.of(wanted.numbers.values()) : wanted.numbersWithoutState());
      if (wanted.asks(NAMES)) {
        parameters.add(names);
      }
      if (wanted.asks(RELATED)) {
        parameters.add(related);
        parameters.add(related);
      }
      if (wanted.asks(RESOLVED_GROUPS)) {
        parameters.add(resolvedGroups);
        parameters.add(resolvedGroups);
      }
    }
    if (!expectsNewIds(wanted.variant)) {
      parameters.add(ArrayLiteral.of(needs.transfers));
    }
    if (wanted.asks(GROUPS)) {
      parameters.add(ArrayLiteral.of(needs.groups));
    }
    for (int use = 0; wanted.asks(RELATED) && use < 2; use++) {
      parameters.add(related);
      if (wanted.asks(RESOLVED_GROUPS)) {
        parameters.add(resolvedGroups);
      }
    }
    if (wanted.asks(ASSETS)) {
      ArrayLiteral codes = new ArrayLiteral();
      wanted.unknownAssets.forEach(code -> codes.addText(code.value()));
      parameters.add(codes);
    }
    if (expectsNewIds(wanted.variant)) {
      parameters.add(ArrayLiteral.of(needs.transfers));
    }
    return parameters;
  }

  private FoundBooks read(
      Connection connection, Answers answers, Needs needs, Wanted wanted, KnownStates known)
      throws SQLException {
    FoundBooks found = new FoundBooks();
    wanted.assets.forEach(found::addAsset);
    Map<Integer, Locked> locked = readLocked(answers.next());
    if (wanted.asks(STATES)) {
      readStates(answers.next(), found, locked, wanted);
    }
    if (!expectsNewIds(wanted.variant)) {
      readTransfers(answers.next(), found);
    }
    if (wanted.asks(GROUPS)) {
      readTransfers(answers.next(), found);
    }
    if (wanted.asks(RELATED)) {
      readResolutions(answers, found);
    }
    if (wanted.asks(ASSETS)) {
      readAssets(answers.next(), found, wanted);
    }
    boolean repeats = false;
    try (ResultSet row = answers.next()) {
      row.next();
      Instant now = timeSource == null ? TransferRows.instant(row, 2) : timeSource.now();
      found.setBatch(
          row.getLong(1), now.truncatedTo(ChronoUnit.MICROS), row.getString(3), row.getInt(4));
      if (expectsNewIds(wanted.variant)) {
        repeats = row.getBoolean(5);
      }
    }
    if (!wanted.states.isEmpty()) {
      addKnownStates(connection, found, locked, wanted, known);
    }
    if (repeats) {
      readExisting(connection, needs.transfers, found);
    }
    needs.accounts.forEach(found::addNamed);
    for (AccountId id : wanted.numbers.keySet()) {
      if (!found.isLocked(id)) {
        numbers.forget(id);
        found.addUnconfirmed(id);
      }
    }
    found.complete();
    return found;
  }

  /**
   * An account locked, as it is now.
   *
   * @param id its id
   * @param limits its limits
   * @param closed whether it refuses new transfers
   */
  private record Locked(String id, Limits limits, boolean closed) {}

  private static Map<Integer, Locked> readLocked(ResultSet result) throws SQLException {
    Map<Integer, Locked> locked = new HashMap<>();
    try (ResultSet rows = result) {
      while (rows.next()) {
        locked.put(
            rows.getInt(1), new Locked(rows.getString(2), limits(rows, 3), rows.getBoolean(5)));
      }
    }
    return locked;
  }

  private void readStates(
      ResultSet result, FoundBooks found, Map<Integer, Locked> locked, Wanted wanted)
      throws SQLException {
    try (ResultSet rows = result) {
      while (rows.next()) {
        int no = rows.getInt(1);
        AccountId id = new AccountId(rows.getString(2));
        found.addNewest(rows.getLong(12));
        Locked now = locked.get(no);
        if (now == null) {
          found.addUnconfirmed(id);
        } else {
          found.addLocked(no, state(rows, id, now));
          if (wanted.learns()) {
            numbers.remember(id, no);
          }
        }
      }
    }
  }

  /** Uses what is known, or reads it: the accounts are locked, so it is the same a little later. */
  private void addKnownStates(
      Connection connection,
      FoundBooks found,
      Map<Integer, Locked> locked,
      Wanted wanted,
      KnownStates known)
      throws SQLException {
    if (!known.holdAt(found.batch())) {
      try (PreparedStatement statement = connection.prepareStatement(sql.states())) {
        ArrayLiteral.of(wanted.states.keySet()).bind(statement, 1);
        readStates(statement.executeQuery(), found, locked, wanted);
      }
      found.requireAhead();
      return;
    }
    wanted.states.forEach(
        (no, state) -> {
          Locked now = locked.get(no);
          if (now != null && now.id.equals(state.balance().account().value())) {
            found.addLocked(
                no,
                new AccountState(
                    state.balance(),
                    now.limits,
                    now.closed,
                    state.openedAt(),
                    state.lastRecordedAt()));
          }
        });
  }

  /** What is recorded is never changed, so it may be read after everything else. */
  private void readExisting(Connection connection, Set<UUID> ids, FoundBooks found)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.transfers())) {
      ArrayLiteral.of(ids).bind(statement, 1);
      readTransfers(statement.executeQuery(), found);
    }
  }

  /**
   * Reads what is recorded of some ids, outside of any transaction and without locks. Where commits
   * wait for standbys, so does this: what was found may be on this server only.
   *
   * @return the session of the server in which it was read
   * @throws UnknownCommitException if what was found is not certain to last
   */
  int readRecorded(Connection connection, Set<UUID> ids, FoundBooks found)
      throws SQLException, UnknownCommitException {
    try (PreparedStatement statement = connection.prepareStatement(sql.recorded())) {
      ArrayLiteral.of(ids).bind(statement, 1);
      statement.execute();
      RecordWriter.requireNoWarning(statement.getWarnings());
      Answers answers = Answers.of(statement);
      readTransfers(answers.next(), found);
      try (ResultSet row = answers.next()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private void readAssets(ResultSet result, FoundBooks found, Wanted wanted) throws SQLException {
    try (ResultSet rows = result) {
      while (rows.next()) {
        AssetCode code = new AssetCode(rows.getString(1));
        if (wanted.learns()) {
          knownAssets.add(code);
        }
        found.addAsset(code);
      }
    }
  }

  private static AccountState state(ResultSet row, AccountId id, Locked now) throws SQLException {
    long version = row.getLong(6);
    AccountBalance balance =
        new AccountBalance(
            id,
            new AssetCode(row.getString(3)),
            TransferRows.side(row.getInt(4)),
            version,
            version == 0 ? Counters.ZERO : TransferRows.counters(row, 8));
    return new AccountState(
        balance,
        now.limits,
        now.closed,
        TransferRows.instant(row, 5),
        TransferRows.instantOrNull(row, 7));
  }

  private static Limits limits(ResultSet row, int column) throws SQLException {
    return new Limits(Numerics.balanceOrNull(row, column), Numerics.balanceOrNull(row, column + 1));
  }

  private static void readTransfers(ResultSet result, FoundBooks found) throws SQLException {
    try (ResultSet rows = result) {
      while (rows.next()) {
        found.addTransfer(TransferRows.read(rows));
      }
    }
  }

  private static void readResolutions(Answers answers, FoundBooks found) throws SQLException {
    try (ResultSet rows = answers.next()) {
      while (rows.next()) {
        found.addOpenHold(TransferRows.uuid(rows, 1), Numerics.amountOrZero(rows, 2));
      }
    }
    try (ResultSet rows = answers.next()) {
      while (rows.next()) {
        found.addResolution(
            TransferRows.uuid(rows, 1),
            TransferRows.kind(rows.getInt(2)),
            Numerics.amountOrZero(rows, 3),
            rows.getBoolean(4));
      }
    }
  }
}
