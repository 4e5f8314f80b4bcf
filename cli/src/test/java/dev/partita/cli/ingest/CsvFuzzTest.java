package dev.partita.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.partita.Asset;
import dev.partita.MisuseException;
import dev.partita.cli.input.Assets;
import dev.partita.memory.InMemoryLedger;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Any bytes are either rows or refused: every row is ready or says what is wrong with it, lines
 * only go forward, and whatever comes to an end.
 */
@Tag("slow")
class CsvFuzzTest {

  private static final String TRANSFERS =
      "id,key,debit,credit,asset,amount,effective_at,code,reference,metadata.k\n";
  private static final String BERKA =
      "trans_id;account_id;date;type;operation;amount;balance;k_symbol;bank;account\n";

  @DictionaryEntries({
    ",k1,till,wallet:1,EUR,1.00,2026-01-01T00:00:00Z,7,ref,v\\x0a",
    "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b,,till,wallet:1,EUR,1,,,,\\x0d\\x0a",
    "\"1\";\"2\";930101;\"PRIJEM\";\"VKLAD\";700;700;\"\";;\\x0a",
    "\"a\"\"b\"",
    "\\x1f\\x8b"
  })
  @FuzzTest(maxDuration = "30s")
  void files(FuzzedDataProvider data) {
    boolean berka = data.consumeBoolean();
    String header = data.consumeBoolean() ? berka ? BERKA : TRANSFERS : "";
    byte[] head = header.getBytes(StandardCharsets.UTF_8);
    byte[] body = data.consumeRemainingAsBytes();
    byte[] file = java.util.Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, file, head.length, body.length);
    InMemoryLedger ledger = new InMemoryLedger(() -> Instant.EPOCH);
    ledger.register(List.of(Asset.iso("EUR"), Asset.iso("CZK")));
    try (InputFile input = InputFile.open("-", new ByteArrayInputStream(file))) {
      read(
          berka ? new BerkaRows(input, ledger) : new TransferRows(input, new Assets(ledger)),
          file.length);
    } catch (MisuseException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static void read(Rows rows, int bytes) {
    long line = 0;
    int count = 0;
    for (Rows.Next next = rows.next(); next != null; next = rows.next()) {
      long its =
          switch (next) {
            case Rows.Next.Ready ready -> {
              assertThat(ready.row().request().amount()).isNotNull();
              yield ready.row().line();
            }
            case Rows.Next.Malformed malformed -> {
              assertThat(malformed.problem()).isNotBlank();
              yield malformed.line();
            }
          };
      assertThat(its).isGreaterThan(line);
      line = its;
      count++;
      // A gzip file of this size holds no more; a plain one far less.
      assertThat(count).isLessThan(bytes * 1_100 + 1);
    }
    rows.prepare();
  }
}
