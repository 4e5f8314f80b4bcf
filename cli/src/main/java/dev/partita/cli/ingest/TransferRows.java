package dev.partita.cli.ingest;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.TransferRequest;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.input.Assets;
import dev.partita.cli.input.Decimal;
import dev.partita.cli.output.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Transfers from comma-separated values with fixed columns; see {@link #COLUMNS}. */
public final class TransferRows implements Rows {

  /** The columns, in words. */
  public static final String COLUMNS =
      "id or key, debit, credit, asset, amount, effective_at, code, reference, metadata.NAME";

  private static final String METADATA = "metadata.";
  private static final Set<String> KNOWN =
      Set.of(
          "id", "key", "debit", "credit", "asset", "amount", "effective_at", "code", "reference");

  private final CsvFile file;
  private final Header header;
  private final List<String> notes;
  private final Assets assets;

  /**
   * Reads the header.
   *
   * @throws MisuseException if its columns are not those of transfers
   */
  public TransferRows(InputFile file, Assets assets) {
    this.file = new CsvFile(file, ',');
    this.header = Header.read(this.file, TransferRows::isKnown, COLUMNS);
    header.require(this.file, "debit", "credit", "asset", "amount");
    if (!header.has("id") && !header.has("key")) {
      throw Header.problem(
          this.file,
          1,
          "neither id nor key is there; every row needs one, so that reading it twice moves its"
              + " money once");
    }
    this.notes = header.names().stream().filter(name -> name.startsWith(METADATA)).toList();
    this.assets = assets;
  }

  @Override
  public @Nullable Next next() {
    CsvFile.Line line = file.next();
    if (line == null) {
      return null;
    }
    try {
      header.requireWidth(line);
      return new Next.Ready(new Row(line.line(), request(line)));
    } catch (MisuseException e) {
      return new Next.Malformed(line.line(), e);
    }
  }

  private TransferRequest request(CsvFile.Line line) {
    UUID id = id(line);
    AccountId debit = account(line, "debit");
    AccountId credit = account(line, "credit");
    String code = header.required(line, "asset");
    AssetCode assetCode = Arguments.named("asset", () -> new AssetCode(code));
    Asset asset = assets.find(assetCode);
    if (asset == null) {
      throw new MisuseException("asset", "the ledger has no asset " + code + "; register it first");
    }
    Amount amount = Decimal.unsigned("amount", header.required(line, "amount")).amount(asset);
    TransferRequest request =
        Arguments.named("id", () -> TransferRequest.direct(id, assetCode, debit, credit, amount));
    return noted(request, line);
  }

  private UUID id(CsvFile.Line line) {
    String id = header.value(line, "id");
    String key = header.value(line, "key");
    if ((id == null) == (key == null)) {
      throw new MisuseException("id", id == null ? "id and key are empty" : "id and key are given");
    }
    return id == null
        ? Arguments.named("key", () -> Ids.named(header.required(line, "key")))
        : Arguments.named("id", () -> Ids.parse("id", id));
  }

  private AccountId account(CsvFile.Line line, String column) {
    String text = header.required(line, column);
    return Arguments.named(column, () -> new AccountId(text));
  }

  private TransferRequest noted(TransferRequest request, CsvFile.Line line) {
    TransferRequest noted = request;
    String effectiveAt = header.value(line, "effective_at");
    String code = header.value(line, "code");
    String reference = header.value(line, "reference");
    if (effectiveAt != null) {
      noted = noted.effectiveAt(Arguments.time("effective_at", effectiveAt));
    }
    if (code != null) {
      noted = noted.code(Arguments.small("code", code, 0, TransferRequest.CODE_MAX));
    }
    if (reference != null) {
      noted = noted.reference(reference);
    }
    Map<String, String> entries = new HashMap<>();
    for (String column : notes) {
      String value = header.value(line, column);
      if (value != null) {
        entries.put(column.substring(METADATA.length()), value);
      }
    }
    return entries.isEmpty() ? noted : noted.metadata(Metadata.of(entries));
  }

  private static boolean isKnown(String name) {
    return KNOWN.contains(name)
        || (name.startsWith(METADATA) && isKey(name.substring(METADATA.length())));
  }

  private static boolean isKey(String key) {
    try {
      Metadata.of(Map.of(key, ""));
      return true;
    } catch (MisuseException e) {
      return false;
    }
  }

  /** What to call the file in messages. */
  public String name() {
    return Text.visible(file.name());
  }
}
