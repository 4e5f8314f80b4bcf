package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Amount;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.Transfer;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** What is stored, by COPY or by unnest, is what is read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CopyAndUnnestTest {

  private static final int RECORDS = 600;

  private Stage stage;

  @BeforeAll
  void open() {
    stage = new Stage();
    PostgresLedger ledger = stage.node("ledger");
    Stage.open(ledger, "credit");
    ledger.open(List.of(NewAccount.of("debit", "EUR").normal(Side.DEBIT)));
  }

  @AfterAll
  void close() throws SQLException {
    stage.close();
  }

  /** With the time zone of the JVM as that of the session. */
  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Kathmandu", "America/St_Johns"})
  void readsWhatWasWrittenEitherWay(String zone) throws SQLException {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone(zone));
      assertRoundTrip();
    } finally {
      TimeZone.setDefault(before);
    }
  }

  private void assertRoundTrip() throws SQLException {
    RandomRecords records = new RandomRecords(Seeds.random(), "debit", "credit");
    List<RecordColumns.Row> rows = new ArrayList<>();
    int debit = no("debit");
    int credit = no("credit");
    for (int i = 0; i < RECORDS; i++) {
      rows.add(new RecordColumns.Row(records.next(), Long.MAX_VALUE - i, i, debit, credit));
    }
    assertThat(written(rows, true)).isEqualTo(expected(rows));
    assertThat(written(rows, false)).isEqualTo(expected(rows));
  }

  private static Map<UUID, TransferRows.Stored> expected(List<RecordColumns.Row> rows) {
    Map<UUID, TransferRows.Stored> expected = new HashMap<>();
    for (RecordColumns.Row row : rows) {
      Transfer transfer = row.transfer();
      expected.put(transfer.id(), new TransferRows.Stored(row.batch(), row.index(), transfer));
    }
    return expected;
  }

  /** Writes, reads twice (in the driver's text and binary forms), and leaves nothing behind. */
  private Map<UUID, TransferRows.Stored> written(List<RecordColumns.Row> rows, boolean copied)
      throws SQLException {
    try (Connection connection = TestServer.connect()) {
      connection.setAutoCommit(false);
      PGConnection driver = connection.unwrap(PGConnection.class);
      if (copied) {
        CopyEncoder encoder = new CopyEncoder(1);
        RecordColumns.encodeAll(rows, encoder);
        encoder.end();
        var in = driver.getCopyAPI().copyIn(RecordColumns.copy(stage.schema()));
        in.writeToCopy(encoder.bytes(), 0, encoder.length());
        assertThat(in.endCopy()).isEqualTo(rows.size());
      } else {
        insert(connection, rows);
      }
      driver.setPrepareThreshold(0);
      Map<UUID, TransferRows.Stored> asText = read(connection);
      driver.setPrepareThreshold(-1);
      assertThat(read(connection)).isEqualTo(asText);
      connection.rollback();
      return asText;
    }
  }

  private void insert(Connection connection, List<RecordColumns.Row> rows) throws SQLException {
    ArraySink texts = RecordColumns.texts(rows);
    ArraySink.Shape shape = texts.shape();
    String text = RecordColumns.insert(stage.schema(), shape);
    try (PreparedStatement insert = connection.prepareStatement(text)) {
      int parameter = 1;
      for (int column : shape.constant().stream().toArray()) {
        insert.setObject(parameter++, texts.value(column), Types.OTHER);
      }
      for (int column : shape.varying().stream().toArray()) {
        if (shape.single()) {
          insert.setObject(parameter++, texts.value(column), Types.OTHER);
        } else {
          texts.array(column).bind(insert, parameter++);
        }
      }
      assertThat(insert.executeUpdate()).isEqualTo(rows.size());
    }
  }

  /** Each has its own choice of columns: what is left out must be read as nothing. */
  @Test
  void readsWhatWasWrittenOneByOneAndWithAllOfOneKind() throws SQLException {
    RandomRecords records = new RandomRecords(Seeds.random(), "debit", "credit");
    int debit = no("debit");
    int credit = no("credit");
    List<RecordColumns.Row> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(new RecordColumns.Row(records.next(), 7, i, debit, credit));
    }
    for (RecordColumns.Row row : rows) {
      assertThat(written(List.of(row), false)).isEqualTo(expected(List.of(row)));
    }
    for (List<RecordColumns.Row> alike :
        rows.stream().collect(Collectors.groupingBy(row -> row.transfer().kind())).values()) {
      assertThat(written(alike, false)).isEqualTo(expected(alike));
    }
  }

  private Map<UUID, TransferRows.Stored> read(Connection connection) throws SQLException {
    Map<UUID, TransferRows.Stored> found = new HashMap<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT " + TransferRows.COLUMNS + TransferRows.from(stage.schema()));
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        TransferRows.Stored stored = TransferRows.read(rows);
        found.put(stored.transfer().id(), stored);
      }
    }
    return found;
  }

  /** The database's own arithmetic agrees on what was copied. */
  @Test
  void everyPowerOfTenIsCopiedExactly() throws SQLException {
    List<Amount> amounts = new ArrayList<>();
    for (int power = 0; power < 39; power++) {
      BigInteger ten = BigInteger.TEN.pow(power);
      for (BigInteger near : List.of(ten.subtract(BigInteger.ONE), ten, ten.add(BigInteger.ONE))) {
        if (near.bitLength() <= 127) {
          amounts.add(Amount.ofMinor(near));
        }
      }
    }
    amounts.add(Amount.MAX);
    CopyEncoder encoder = new CopyEncoder(1);
    for (Amount amount : amounts) {
      encoder.startRow(2);
      encoder.numeric(amount);
      encoder.text(amount.toString());
    }
    encoder.end();
    try (Connection connection = TestServer.connect();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TEMPORARY TABLE copied (value numeric(39, 0), digits text)");
      var in =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("COPY copied FROM STDIN (FORMAT binary)");
      in.writeToCopy(encoder.bytes(), 0, encoder.length());
      assertThat(in.endCopy()).isEqualTo(amounts.size());
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*) FROM copied WHERE value = digits::numeric AND value::text = digits"
                  + " AND numeric_send(value) = numeric_send(digits::numeric(39, 0))")) {
        row.next();
        assertThat(row.getLong(1)).isEqualTo(amounts.size());
      }
    }
  }

  @Test
  void metadataComesBackThroughJsonb() throws SQLException {
    Random random = Seeds.random();
    RandomRecords records = new RandomRecords(random, "debit", "credit");
    try (Connection connection = TestServer.connect();
        PreparedStatement statement = connection.prepareStatement("SELECT ?::text::jsonb::text")) {
      for (int i = 0; i < 500; i++) {
        Metadata metadata = records.metadata();
        statement.setString(1, MetadataJson.write(metadata));
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          assertThat(MetadataJson.read(row.getString(1))).isEqualTo(metadata);
        }
      }
      Metadata largest = Metadata.of(Map.of("k", "\u0001".repeat(Metadata.BYTES_MAX - 1)));
      statement.setString(1, MetadataJson.write(largest));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        assertThat(MetadataJson.read(row.getString(1))).isEqualTo(largest);
      }
    }
  }

  private int no(String account) {
    return Math.toIntExact(stage.number("SELECT no FROM %s.account WHERE id = '" + account + "'"));
  }
}
