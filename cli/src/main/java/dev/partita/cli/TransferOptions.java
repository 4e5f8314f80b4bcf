package dev.partita.cli;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.Ids;
import dev.partita.MisuseException;
import dev.partita.TransferRequest;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.input.Decimal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of commands that post, in the pieces that they share. */
final class TransferOptions {

  private TransferOptions() {}

  /** Under which id to post. */
  static final class Identity {
    @Option(
        names = "--id",
        paramLabel = "UUID",
        description = "The new id. Default: a new version 7 UUID, which is printed.")
    private @Nullable String id;

    @Option(
        names = "--key",
        paramLabel = "TEXT",
        description = "The new id as the one that this text stands for, for ever the same.")
    private @Nullable String key;

    /** The id asked for, or a new one. */
    UUID id() {
      String idText = id;
      String keyText = key;
      if (idText != null && keyText != null) {
        throw new MisuseException("--id", "give either --id or --key");
      }
      if (keyText != null) {
        return Arguments.key("--key", keyText);
      }
      return idText == null
          ? Ids.timeOrdered(Instant.now(), new SecureRandom())
          : Arguments.named("--id", () -> Ids.parse("--id", idText));
    }
  }

  /** What the caller notes on a transfer. */
  static final class Notes {
    @Option(
        names = "--effective-at",
        paramLabel = "TIME",
        description = "The instant it counts for, for example 2026-01-31T23:59:59Z.")
    private @Nullable String effectiveAt;

    @Option(names = "--code", paramLabel = "N", description = "0 to 65535, yours.")
    private @Nullable String code;

    @Option(
        names = "--reference",
        paramLabel = "TEXT",
        description = "To find it by; need not be unique.")
    private @Nullable String reference;

    @Mixin private MetadataOptions metadata = new MetadataOptions();

    TransferRequest on(TransferRequest request) {
      TransferRequest noted = request.metadata(metadata.metadata());
      String text = reference;
      if (effectiveAt != null) {
        TransferRequest before = noted;
        Instant at = Arguments.time("--effective-at", effectiveAt);
        noted = Arguments.named("--effective-at", () -> before.effectiveAt(at));
      }
      if (code != null) {
        noted = noted.code(Arguments.small("--code", code, 0, TransferRequest.CODE_MAX));
      }
      if (text != null) {
        TransferRequest before = noted;
        noted = Arguments.named("--reference", () -> before.reference(text));
      }
      return noted;
    }

    boolean given() {
      return effectiveAt != null || code != null || reference != null || metadata.given();
    }
  }

  /** An amount that may be left out for all that is left, and its asset. */
  static final class PartialAmount {
    @Option(
        names = "--amount",
        paramLabel = "AMOUNT",
        description = "How much. Default: all that is left.")
    private @Nullable String amount;

    @Option(
        names = "--asset",
        paramLabel = "CODE",
        description = "Asset of the amount; required with --amount.")
    private @Nullable String asset;

    /** The amount as given, or null. */
    @Nullable Decimal amount() {
      if ((amount == null) != (asset == null)) {
        throw new MisuseException(
            amount == null ? "--asset" : "--amount", "--amount and --asset go together");
      }
      return Decimal.unsignedOrNull("--amount", amount);
    }

    /** The asset as given, or null. */
    @Nullable AssetCode asset() {
      String code = asset;
      return code == null ? null : Arguments.named("--asset", () -> new AssetCode(code));
    }

    boolean given() {
      return amount != null || asset != null;
    }
  }

  /** An account id. */
  static AccountId account(String option, String text) {
    return Arguments.named(option, () -> new AccountId(text));
  }
}
