package dev.partita.cli.archive;

import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.Ids;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import dev.partita.cli.input.Arguments;
import dev.partita.rules.Restorable.OpenedAccount;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads lines of an export, strictly: the inverse of {@link Lines}. */
final class LineParser {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** A line of an export. */
  sealed interface Line {
    record OfAsset(Asset asset) implements Line {}

    record OfAccount(OpenedAccount account) implements Line {}

    record OfChange(AccountChange change) implements Line {}

    record OfTransfer(Transfer transfer) implements Line {}

    record OfEnd(ExportCounts counts, String sha256) implements Line {}
  }

  private final Map<AssetCode, Asset> assets = new HashMap<>();

  /** Reads the first line. */
  static void header(String text) {
    StrictObject header = new StrictObject("header", tree(text));
    String format = header.text("format");
    if (!format.equals(Lines.FORMAT)) {
      throw new MisuseException("format", "this is not an export of a ledger");
    }
    if (header.whole("version", 1, Integer.MAX_VALUE) != Lines.VERSION) {
      throw new MisuseException(
          "version", "this program reads version " + Lines.VERSION + "; use a newer one");
    }
    header.end();
  }

  /** Reads any other line. */
  Line line(String text) {
    StrictObject line = new StrictObject("line", tree(text));
    Line read = null;
    if (line.has("asset")) {
      read = new Line.OfAsset(asset(line.object("asset")));
    } else if (line.has("account")) {
      read = new Line.OfAccount(account(line.object("account")));
    } else if (line.has("change")) {
      read = new Line.OfChange(change(line.object("change")));
    } else if (line.has("transfer")) {
      read = new Line.OfTransfer(transfer(line.object("transfer")));
    } else if (line.has("end")) {
      read = end(line.object("end"));
    }
    line.end();
    if (read == null) {
      throw new MisuseException("the line is empty; it is an asset, account, change or transfer");
    }
    return read;
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new MisuseException("this is not JSON: " + e.getOriginalMessage());
    }
  }

  private Asset asset(StrictObject node) {
    Asset asset = Asset.of(node.text("code"), (int) node.whole("scale", 0, Asset.SCALE_MAX));
    node.end();
    if (assets.put(asset.code(), asset) != null) {
      throw new MisuseException("asset", asset.code() + " is there twice");
    }
    return asset;
  }

  private OpenedAccount account(StrictObject node) {
    Asset asset = assetOf(node);
    OpenedAccount account =
        new OpenedAccount(
            new NewAccount(
                new AccountId(node.text("id")),
                asset.code(),
                node.choice("normal", Side.class),
                limits(node, asset),
                code(node),
                Metadata.of(node.texts("metadata"))),
            time(node, "openedAt"));
    node.end();
    return account;
  }

  private AccountChange change(StrictObject node) {
    Asset asset = assetOf(node);
    AccountChange change =
        new AccountChange(
            new AccountId(node.text("account")),
            node.whole("number", 1, Long.MAX_VALUE),
            terms(node.object("before"), asset),
            terms(node.object("after"), asset),
            node.whole("afterVersion", 0, Long.MAX_VALUE),
            time(node, "recordedAt"),
            node.textOrNull("actor"));
    node.end();
    return change;
  }

  private static AccountTerms terms(StrictObject node, Asset asset) {
    AccountTerms terms =
        new AccountTerms(
            limits(node, asset), Metadata.of(node.texts("metadata")), node.flag("closed"));
    node.end();
    return terms;
  }

  private Transfer transfer(StrictObject node) {
    Asset asset = assetOf(node);
    Transfer transfer =
        new Transfer(
            request(node.object("request"), asset),
            Amount.parse(node.text("amount"), asset),
            Amount.parse(node.text("released"), asset),
            node.flag("last"),
            node.has("group") ? group(node.object("group")) : null,
            code(node),
            node.textOrNull("reference"),
            time(node, "recordedAt"),
            after(node.object("debitAfter"), asset),
            after(node.object("creditAfter"), asset));
    node.end();
    return transfer;
  }

  private static TransferRequest request(StrictObject node, Asset asset) {
    String related = node.textOrNull("relatedId");
    String assetCode = node.textOrNull("asset");
    String debit = node.textOrNull("debit");
    String credit = node.textOrNull("credit");
    String amount = node.textOrNull("amount");
    TransferRequest request =
        new TransferRequest(
            Ids.parse("id", node.text("id")),
            node.choice("kind", TransferKind.class),
            related == null ? null : Ids.parse("relatedId", related),
            assetCode == null ? null : new AssetCode(assetCode),
            debit == null ? null : new AccountId(debit),
            credit == null ? null : new AccountId(credit),
            amount == null ? null : Amount.parse(amount, asset),
            node.has("upTo") ? node.choice("upTo", UpTo.class) : UpTo.NONE,
            node.has("keepRemainder") && node.flag("keepRemainder"),
            node.has("timeoutSeconds")
                ? (Integer) (int) node.whole("timeoutSeconds", 1, Integer.MAX_VALUE)
                : null,
            node.has("effectiveAt") ? time(node, "effectiveAt") : null,
            node.has("code") ? (Integer) code(node) : null,
            node.textOrNull("reference"),
            Metadata.of(node.texts("metadata")));
    node.end();
    return request;
  }

  private static GroupRef group(StrictObject node) {
    GroupRef group =
        new GroupRef(
            Ids.parse("group", node.text("id")),
            (int) node.whole("index", 0, GroupRequest.MEMBERS_MAX),
            (int) node.whole("size", 1, GroupRequest.MEMBERS_MAX));
    node.end();
    return group;
  }

  private static AccountBalance after(StrictObject node, Asset asset) {
    AccountBalance after =
        new AccountBalance(
            new AccountId(node.text("account")),
            asset.code(),
            node.choice("normal", Side.class),
            node.whole("version", 1, Long.MAX_VALUE),
            new Counters(
                Amount.parse(node.text("debitsPosted"), asset),
                Amount.parse(node.text("creditsPosted"), asset),
                Amount.parse(node.text("debitsPending"), asset),
                Amount.parse(node.text("creditsPending"), asset)));
    node.end();
    return after;
  }

  private static Line.OfEnd end(StrictObject node) {
    ExportCounts counts =
        new ExportCounts(
            node.whole("assets", 0, Long.MAX_VALUE),
            node.whole("accounts", 0, Long.MAX_VALUE),
            node.whole("changes", 0, Long.MAX_VALUE),
            node.whole("transfers", 0, Long.MAX_VALUE));
    Line.OfEnd end = new Line.OfEnd(counts, node.text("sha256"));
    node.end();
    return end;
  }

  private Asset assetOf(StrictObject node) {
    AssetCode code = new AssetCode(node.text("asset"));
    Asset asset = assets.get(code);
    if (asset == null) {
      throw new MisuseException("asset", code + " is not among the assets above");
    }
    return asset;
  }

  private static Limits limits(StrictObject node, Asset asset) {
    return new Limits(
        balance(node.textOrNull("minBalance"), asset),
        balance(node.textOrNull("maxBalance"), asset));
  }

  private static @Nullable Balance balance(@Nullable String text, Asset asset) {
    return text == null ? null : Balance.parse(text, asset);
  }

  private static int code(StrictObject node) {
    return (int) node.whole("code", 0, TransferRequest.CODE_MAX);
  }

  private static Instant time(StrictObject node, String field) {
    return Arguments.time(field, node.text(field));
  }
}
