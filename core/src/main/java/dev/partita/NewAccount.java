package dev.partita;

import java.util.Objects;

/**
 * An account to open.
 *
 * @param id its name
 * @param asset its asset, registered before
 * @param normal its normal side
 * @param limits its limits, not crossed
 * @param code 0–65535
 * @param metadata the caller's notes
 */
public record NewAccount(
    AccountId id, AssetCode asset, Side normal, Limits limits, int code, Metadata metadata) {

  /**
   * Checks the values.
   *
   * @throws MisuseException if the code is out of range or the limits are crossed
   */
  public NewAccount {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(asset, "asset");
    Objects.requireNonNull(normal, "normal");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(metadata, "metadata");
    TransferRequest.requireCode(code);
    if (limits.crossed()) {
      throw new MisuseException("minBalance", "is above maxBalance");
    }
  }

  /** A CREDIT-normal account without limits, code 0, no metadata. */
  public static NewAccount of(String id, String asset) {
    return new NewAccount(
        new AccountId(id), new AssetCode(asset), Side.CREDIT, Limits.NONE, 0, Metadata.EMPTY);
  }

  /** This account with another normal side. */
  public NewAccount normal(Side side) {
    return new NewAccount(id, asset, side, limits, code, metadata);
  }

  /** This account with other limits. */
  public NewAccount limits(Limits newLimits) {
    return new NewAccount(id, asset, normal, newLimits, code, metadata);
  }

  /** This account with another code. */
  public NewAccount code(int newCode) {
    return new NewAccount(id, asset, normal, limits, newCode, metadata);
  }

  /** This account with other metadata. */
  public NewAccount metadata(Metadata newMetadata) {
    return new NewAccount(id, asset, normal, limits, code, newMetadata);
  }
}
