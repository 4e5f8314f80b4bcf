package dev.partita.server.api;

import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ledger;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The registered assets, kept here because every amount needs its asset's digits. An asset once
 * registered never changes, so what is known stays true; what is not known is asked for each time.
 * Safe for use by any number of threads.
 */
final class AssetCatalog {

  private final Ledger ledger;
  private final Map<AssetCode, Asset> known = new ConcurrentHashMap<>();

  AssetCatalog(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The asset, or null if it is not registered. */
  @Nullable Asset find(AssetCode code) {
    Asset asset = known.get(code);
    if (asset != null) {
      return asset;
    }
    for (Asset registered : ledger.assets()) {
      known.put(registered.code(), registered);
    }
    return known.get(code);
  }
}
