package dev.partita.postgres;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.CorruptionException;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.MisuseException;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a transfer's row is read: the list of columns to select, and the record that a row holds. */
final class TransferRows {

  static final int ASSET_GIVEN = 1;
  static final int DEBIT_GIVEN = 2;
  static final int CREDIT_GIVEN = 4;
  static final int AMOUNT_GIVEN = 8;
  static final int CODE_GIVEN = 16;
  static final int REFERENCE_GIVEN = 32;
  static final int KEEP_REMAINDER = 64;
  static final int LAST = 128;
  static final int UP_TO_DEBIT = 256;
  static final int UP_TO_CREDIT = 512;

  /** Kinds by their stored number; never reordered. */
  private static final List<TransferKind> KINDS =
      List.of(
          TransferKind.DIRECT,
          TransferKind.PENDING,
          TransferKind.POST,
          TransferKind.VOID,
          TransferKind.EXPIRY,
          TransferKind.REVERSAL);

  /**
   * Columns of {@code transfer t}, and of its accounts {@code d} and {@code c}, for {@link #read}.
   */
  static final String COLUMNS =
      """
      t.batch, t.batch_index, t.kind, t.flags, t.id, t.amount, t.recorded_at,
      t.debit_version, t.debit_debits_posted, t.debit_credits_posted,
      t.debit_debits_pending, t.debit_credits_pending,
      t.credit_version, t.credit_debits_posted, t.credit_credits_posted,
      t.credit_debits_pending, t.credit_credits_pending,
      t.related_id, t.group_id, t.group_index, t.group_size, t.code, t.timeout_seconds,
      t.effective_at, t.released, t.maximum, t.reference, t.metadata::text,
      d.id, d.normal, c.id, c.normal, d.asset\
      """;

  private static final int COLUMN_COUNT = 33;

  private TransferRows() {}

  /**
   * A stored transfer with its place in the order of recording.
   *
   * @param batch the transaction that recorded it
   * @param batchIndex its place in that transaction
   */
  record Stored(long batch, int batchIndex, Transfer transfer) {}

  /** {@code FROM transfer t JOIN account d … JOIN account c …} in a schema already quoted. */
  static String from(String schema) {
    return " FROM "
        + schema
        + ".transfer t JOIN "
        + schema
        + ".account d ON d.no = t.debit_no JOIN "
        + schema
        + ".account c ON c.no = t.credit_no ";
  }

  /** How many columns {@link #COLUMNS} are: the next one selected comes after them. */
  static int columnCount() {
    return COLUMN_COUNT;
  }

  static short stored(TransferKind kind) {
    return (short) KINDS.indexOf(kind);
  }

  static TransferKind kind(int stored) {
    if (stored < 0 || stored >= KINDS.size()) {
      throw new CorruptionException("no transfer is of kind " + stored);
    }
    return KINDS.get(stored);
  }

  /**
   * Reads {@link #COLUMNS} from the current row.
   *
   * @throws CorruptionException if no request can have made it
   */
  static Stored read(ResultSet row) throws SQLException {
    try {
      return stored(row);
    } catch (MisuseException e) {
      throw corrupt("transfer " + row.getString(5), e);
    }
  }

  /** What is stored is what nobody may ask for: not the misuse of whoever reads it. */
  static CorruptionException corrupt(String what, MisuseException e) {
    return new CorruptionException("stored " + what + ": " + e.getMessage(), e);
  }

  private static Stored stored(ResultSet row) throws SQLException {
    TransferKind kind = kind(row.getInt(3));
    int flags = row.getInt(4);
    Amount amount = Numerics.amountOrZero(row, 6);
    String reference = row.getString(27);
    int code = row.getInt(22);
    AssetCode asset = new AssetCode(row.getString(33));
    AccountId debit = new AccountId(row.getString(29));
    AccountId credit = new AccountId(row.getString(31));
    Amount maximum = Numerics.amountOrNull(row, 26);
    TransferRequest request =
        new TransferRequest(
            uuid(row, 5),
            kind,
            uuidOrNull(row, 18),
            has(flags, ASSET_GIVEN) ? asset : null,
            has(flags, DEBIT_GIVEN) ? debit : null,
            has(flags, CREDIT_GIVEN) ? credit : null,
            has(flags, AMOUNT_GIVEN) ? (maximum == null ? amount : maximum) : null,
            upTo(flags),
            has(flags, KEEP_REMAINDER),
            intOrNull(row, 23),
            instantOrNull(row, 24),
            has(flags, CODE_GIVEN) ? Integer.valueOf(code) : null,
            has(flags, REFERENCE_GIVEN) ? reference : null,
            MetadataJson.read(row.getString(28)));
    UUID groupId = uuidOrNull(row, 19);
    Transfer transfer =
        new Transfer(
            request,
            amount,
            Numerics.amountOrZero(row, 25),
            has(flags, LAST),
            groupId == null ? null : new GroupRef(groupId, row.getInt(20), row.getInt(21)),
            code,
            reference,
            instant(row, 7),
            new AccountBalance(
                debit, asset, side(row.getInt(30)), row.getLong(8), counters(row, 9)),
            new AccountBalance(
                credit, asset, side(row.getInt(32)), row.getLong(13), counters(row, 14)));
    return new Stored(row.getLong(1), row.getInt(2), transfer);
  }

  /** The flags of a record. */
  static short flags(Transfer transfer) {
    TransferRequest request = transfer.request();
    int flags =
        (request.asset() == null ? 0 : ASSET_GIVEN)
            | (request.debit() == null ? 0 : DEBIT_GIVEN)
            | (request.credit() == null ? 0 : CREDIT_GIVEN)
            | (request.amount() == null ? 0 : AMOUNT_GIVEN)
            | (request.code() == null ? 0 : CODE_GIVEN)
            | (request.reference() == null ? 0 : REFERENCE_GIVEN)
            | (request.keepRemainder() ? KEEP_REMAINDER : 0)
            | (transfer.last() ? LAST : 0)
            | (request.upTo().covers(Side.DEBIT) ? UP_TO_DEBIT : 0)
            | (request.upTo().covers(Side.CREDIT) ? UP_TO_CREDIT : 0);
    return (short) flags;
  }

  /** Four counters in consecutive columns, null for zero. */
  static Counters counters(ResultSet row, int firstColumn) throws SQLException {
    return new Counters(
        Numerics.amountOrZero(row, firstColumn),
        Numerics.amountOrZero(row, firstColumn + 1),
        Numerics.amountOrZero(row, firstColumn + 2),
        Numerics.amountOrZero(row, firstColumn + 3));
  }

  static Side side(int stored) {
    return switch (stored) {
      case 0 -> Side.DEBIT;
      case 1 -> Side.CREDIT;
      default -> throw new CorruptionException("no account is of side " + stored);
    };
  }

  static short stored(Side side) {
    return (short) (side == Side.DEBIT ? 0 : 1);
  }

  static UUID uuid(ResultSet row, int column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  static @Nullable UUID uuidOrNull(ResultSet row, int column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
    OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
    return value == null ? null : value.toInstant();
  }

  private static @Nullable Integer intOrNull(ResultSet row, int column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? null : Integer.valueOf(value);
  }

  private static UpTo upTo(int flags) {
    if (has(flags, UP_TO_DEBIT)) {
      return has(flags, UP_TO_CREDIT) ? UpTo.BOTH : UpTo.DEBIT;
    }
    return has(flags, UP_TO_CREDIT) ? UpTo.CREDIT : UpTo.NONE;
  }

  private static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }
}
