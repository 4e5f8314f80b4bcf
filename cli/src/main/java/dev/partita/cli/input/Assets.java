package dev.partita.cli.input;

import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.CorruptionException;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The assets of a ledger, remembered: once registered, an asset never changes. */
public final class Assets {

  private final Ledger ledger;
  private final Map<AssetCode, Asset> known = new ConcurrentHashMap<>();

  /** The assets of this ledger. */
  public Assets(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The asset, or null if it is not registered. */
  public @Nullable Asset find(AssetCode code) {
    Asset asset = known.get(code);
    if (asset == null) {
      for (Asset each : ledger.assets()) {
        known.put(each.code(), each);
      }
      asset = known.get(code);
    }
    return asset;
  }

  /**
   * The asset that an argument names.
   *
   * @throws MisuseException if it is not registered
   */
  public Asset named(String option, AssetCode code) {
    Asset asset = find(code);
    if (asset == null) {
      throw new MisuseException(
          option,
          "the ledger has no asset "
              + code
              + "; register it first: partita asset register "
              + code);
    }
    return asset;
  }

  /** The asset of something stored, which must be there. */
  public Asset stored(AssetCode code) {
    Asset asset = find(code);
    if (asset == null) {
      throw new CorruptionException(
          "the ledger uses the asset " + code + ", which it does not have");
    }
    return asset;
  }
}
