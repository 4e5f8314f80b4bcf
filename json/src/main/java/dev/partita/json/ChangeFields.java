package dev.partita.json;

import dev.partita.AccountTerms;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.Limits;
import dev.partita.Metadata;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which fields a change sets. A request only says what it makes of given terms; what it makes of
 * two that differ in everything is equal exactly where it sets a value.
 */
final class ChangeFields {

  private static final AccountTerms ONE = new AccountTerms(Limits.NONE, Metadata.EMPTY, false);
  private static final AccountTerms OTHER =
      new AccountTerms(
          new Limits(Balance.ZERO, Balance.ZERO), Metadata.of(Map.of("other", "")), true);

  private final AccountTerms fromOne;
  private final AccountTerms fromOther;

  ChangeFields(ChangeRequest change) {
    fromOne = change.applyTo(ONE);
    fromOther = change.applyTo(OTHER);
  }

  boolean setsMinBalance() {
    return Objects.equals(fromOne.limits().minBalance(), fromOther.limits().minBalance());
  }

  /** The minimum it sets; null to remove it. */
  @Nullable Balance minBalance() {
    return fromOne.limits().minBalance();
  }

  boolean setsMaxBalance() {
    return Objects.equals(fromOne.limits().maxBalance(), fromOther.limits().maxBalance());
  }

  /** The maximum it sets; null to remove it. */
  @Nullable Balance maxBalance() {
    return fromOne.limits().maxBalance();
  }

  boolean setsMetadata() {
    return fromOne.metadata().equals(fromOther.metadata());
  }

  Metadata metadata() {
    return fromOne.metadata();
  }

  boolean setsClosed() {
    return fromOne.closed() == fromOther.closed();
  }

  boolean closed() {
    return fromOne.closed();
  }
}
