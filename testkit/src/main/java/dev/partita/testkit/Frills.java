package dev.partita.testkit;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Metadata;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a transfer may do without, to be left out of an example one by one. */
final class Frills {

  /** Each answers a plainer transfer, or the same if there is nothing to leave out. */
  static final List<Shrinker.Change> REMOVALS =
      List.of(
          t -> plain(t) ? t : copy(t, t.amount(), UpTo.NONE, false, null),
          t -> copy(t, t.amount(), UpTo.NONE, t.keepRemainder(), t.timeoutSeconds()),
          t -> copy(t, t.amount(), t.upTo(), false, t.timeoutSeconds()),
          t -> copy(t, t.amount(), t.upTo(), t.keepRemainder(), null),
          t -> texts(t, null, t.code(), t.reference(), t.metadata()),
          t -> texts(t, t.effectiveAt(), null, t.reference(), t.metadata()),
          t -> texts(t, t.effectiveAt(), t.code(), null, t.metadata()),
          t -> texts(t, t.effectiveAt(), t.code(), t.reference(), Metadata.EMPTY),
          t -> t.kind().isRelated() ? named(t, null, t.debit(), t.credit()) : t,
          t -> t.kind().resolvesHold() ? named(t, t.asset(), null, null) : t);

  private Frills() {}

  private static boolean plain(TransferRequest t) {
    return t.upTo() == UpTo.NONE && !t.keepRemainder() && t.timeoutSeconds() == null;
  }

  private static TransferRequest copy(
      TransferRequest t,
      @Nullable Amount amount,
      UpTo upTo,
      boolean keepRemainder,
      @Nullable Integer timeoutSeconds) {
    return new TransferRequest(
        t.id(),
        t.kind(),
        t.relatedId(),
        t.asset(),
        t.debit(),
        t.credit(),
        amount,
        upTo,
        t.kind() == TransferKind.POST && keepRemainder,
        timeoutSeconds,
        t.effectiveAt(),
        t.code(),
        t.reference(),
        t.metadata());
  }

  private static TransferRequest texts(
      TransferRequest t,
      @Nullable Instant effectiveAt,
      @Nullable Integer code,
      @Nullable String reference,
      Metadata metadata) {
    return new TransferRequest(
        t.id(),
        t.kind(),
        t.relatedId(),
        t.asset(),
        t.debit(),
        t.credit(),
        t.amount(),
        t.upTo(),
        t.keepRemainder(),
        t.timeoutSeconds(),
        effectiveAt,
        code,
        reference,
        metadata);
  }

  private static TransferRequest named(
      TransferRequest t,
      @Nullable AssetCode asset,
      @Nullable AccountId debit,
      @Nullable AccountId credit) {
    return new TransferRequest(
        t.id(),
        t.kind(),
        t.relatedId(),
        asset,
        debit,
        credit,
        t.amount(),
        t.upTo(),
        t.keepRemainder(),
        t.timeoutSeconds(),
        t.effectiveAt(),
        t.code(),
        t.reference(),
        t.metadata());
  }
}
