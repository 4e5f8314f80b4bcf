package dev.partita.memory;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Ids;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A ledger with a bank, two wallets and a fee account, and a clock that a test sets. */
final class LedgerFixture {

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final AssetCode EUR = new AssetCode("EUR");
  static final AccountId BANK = AccountId.of("bank");
  static final AccountId ALICE = AccountId.of("user:alice");
  static final AccountId BOB = AccountId.of("user:bob");
  static final AccountId FEES = AccountId.of("fees");

  private volatile Instant now = START;
  final InMemoryLedger ledger = new InMemoryLedger(() -> now);

  LedgerFixture() {
    ledger.register(List.of(Asset.iso("EUR"), Asset.of("BTC", 8)));
    ledger.open(accounts());
  }

  static List<NewAccount> accounts() {
    return List.of(
        NewAccount.of("bank", "EUR").normal(Side.DEBIT).code(1),
        NewAccount.of("user:alice", "EUR").limits(Limits.NOT_NEGATIVE).code(2),
        NewAccount.of("user:bob", "EUR").limits(Limits.NOT_NEGATIVE).code(2),
        NewAccount.of("fees", "EUR").code(3));
  }

  void at(Instant instant) {
    now = instant;
  }

  void advance(Duration by) {
    now = now.plus(by);
  }

  static UUID id(String name) {
    return Ids.named(name);
  }

  static Amount cents(long cents) {
    return Amount.ofMinor(cents);
  }

  static TransferRequest direct(String name, AccountId debit, AccountId credit, long cents) {
    return TransferRequest.direct(id(name), EUR, debit, credit, cents(cents));
  }

  static TransferRequest pending(String name, AccountId debit, AccountId credit, long cents) {
    return TransferRequest.pending(id(name), EUR, debit, credit, cents(cents));
  }

  TransferStatus post(TransferRequest request) {
    return ledger.post(request).status();
  }

  /** Posts something of every kind, with groups, changes, and time going by. */
  LedgerFixture lively() {
    ledger.post(direct("deposit", BANK, ALICE, 10_000).reference("in-1"));
    advance(Duration.ofSeconds(1));
    ledger.post(pending("hold-1", ALICE, BOB, 4_000).timeoutSeconds(60).reference("order-1"));
    ledger.post(
        TransferRequest.capture(id("capture-1"), id("hold-1"))
            .amount(cents(1_500))
            .keepRemainder(true));
    advance(Duration.ofSeconds(1));
    ledger.change(
        ChangeRequest.of(BOB)
            .maxBalance(Balance.ofMinor(50_000))
            .metadata(Metadata.of(Map.of("tier", "gold")))
            .actor("clerk"));
    ledger.post(
        new GroupRequest(
            id("group"),
            List.of(
                pending("g-1", ALICE, BOB, 1_000),
                pending("g-2", ALICE, FEES, 100),
                direct("g-3", BOB, FEES, 30).effectiveAt(START.minusSeconds(3_600)))));
    ledger.post(GroupResolution.postGroup(id("group-post"), id("group")));
    ledger.post(TransferRequest.reversal(id("refund"), id("deposit")).amount(cents(500)));
    ledger.post(pending("hold-2", ALICE, BOB, 700));
    ledger.post(TransferRequest.voiding(id("void-2"), id("hold-2")));
    ledger.post(pending("hold-3", ALICE, BOB, 800));
    advance(Duration.ofMinutes(2));
    ledger.expireDue(10);
    ledger.change(ChangeRequest.of(BOB).close());
    advance(Duration.ofSeconds(1));
    return this;
  }
}
