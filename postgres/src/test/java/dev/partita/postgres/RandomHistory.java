package dev.partita.postgres;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.GroupRequest;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Side;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UpTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;

/** Makes a ledger's history out of a seed: every kind of record, good and refused. */
final class RandomHistory {

  static final AssetCode EUR = new AssetCode("EUR");
  static final AssetCode BTC = new AssetCode("BTC");

  private final Ledger ledger;
  private final Random random;
  private final Consumer<Duration> clock;
  private final List<UUID> holds = new ArrayList<>();
  private final List<UUID> moves = new ArrayList<>();
  private final List<UUID> groups = new ArrayList<>();
  private Instant base = Instant.parse("2026-01-01T00:00:00Z");

  RandomHistory(Ledger ledger, long seed, Consumer<Duration> clock) {
    this.ledger = ledger;
    this.random = new Random(seed);
    this.clock = clock;
  }

  static List<AccountId> euros() {
    return List.of(
        AccountId.of("bank"),
        AccountId.of("fees:eur"),
        AccountId.of("seller:1:eur"),
        AccountId.of("seller:2:eur"),
        AccountId.of("seller:3:eur"));
  }

  static List<AccountId> coins() {
    return List.of(AccountId.of("vault"), AccountId.of("seller:1:btc"));
  }

  void open() {
    ledger.register(List.of(Asset.iso("EUR"), Asset.of("BTC", 8), Asset.of("UNUSED", 0)));
    List<NewAccount> accounts = new ArrayList<>();
    for (AccountId id : euros()) {
      boolean bank = id.value().equals("bank");
      boolean seller = id.value().startsWith("seller");
      accounts.add(
          new NewAccount(
              id,
              EUR,
              bank ? Side.DEBIT : Side.CREDIT,
              seller ? Limits.NOT_NEGATIVE : Limits.NONE,
              bank ? 100 : 200,
              seller
                  ? Metadata.of(Map.of("name", "Ünï \"q\" \\ \u0001", "n", "1"))
                  : Metadata.EMPTY));
    }
    for (AccountId id : coins()) {
      accounts.add(new NewAccount(id, BTC, Side.CREDIT, Limits.NONE, 0, Metadata.EMPTY));
    }
    ledger.open(accounts);
  }

  /** One request, change or expiry. */
  void step() {
    clock.accept(Duration.ofMillis(random.nextInt(3) * 250L));
    int dice = random.nextInt(100);
    if (dice < 5) {
      ledger.expireDue(3);
    } else if (dice < 10) {
      change();
    } else {
      List<PostItem> items = new ArrayList<>();
      for (int n = random.nextInt(3); n >= 0; n--) {
        items.add(random.nextInt(6) == 0 ? group() : transfer());
      }
      PostResult result = ledger.post(new PostRequest(items));
      result.items().forEach(item -> item.transfers().forEach(this::remember));
    }
  }

  private void remember(TransferResult result) {
    if (result.transfer() != null) {
      TransferKind kind = result.transfer().kind();
      if (kind == TransferKind.PENDING) {
        holds.add(result.transfer().id());
      } else if (kind == TransferKind.DIRECT || kind == TransferKind.POST) {
        moves.add(result.transfer().id());
      }
    }
  }

  private void change() {
    ChangeRequest change = ChangeRequest.of(any(euros()));
    int dice = random.nextInt(6);
    change =
        switch (dice) {
          case 0 -> change.minBalance(null).actor("ops");
          case 1 -> change.minBalance(Balance.ofMinor(random.nextInt(50) - 25));
          case 2 -> change.maxBalance(Balance.ofMinor(100_000 + random.nextInt(1_000)));
          case 3 -> change.metadata(Metadata.of(Map.of("v", "" + random.nextInt(9))));
          case 4 -> change.close();
          default -> change.reopen();
        };
    ledger.change(change);
    if (dice == 4 && random.nextInt(4) > 0) {
      ledger.change(ChangeRequest.of(change.account()).reopen());
    }
  }

  private GroupRequest group() {
    List<TransferRequest> members = new ArrayList<>();
    for (int n = 1 + random.nextInt(4); n >= 0; n--) {
      members.add(transfer());
    }
    GroupRequest group = new GroupRequest(uuid(), members);
    groups.add(group.id());
    return group;
  }

  private TransferRequest transfer() {
    int dice = random.nextInt(20);
    UUID id = uuid();
    TransferRequest request;
    if (dice < 3 && !holds.isEmpty()) {
      request = TransferRequest.capture(id, any(holds));
      if (random.nextBoolean()) {
        request =
            request
                .amount(Amount.ofMinor(1 + random.nextInt(60)))
                .keepRemainder(random.nextBoolean());
      }
    } else if (dice < 5 && !holds.isEmpty()) {
      request = TransferRequest.voiding(id, any(holds));
    } else if (dice < 7 && !moves.isEmpty()) {
      request = TransferRequest.reversal(id, any(moves));
      if (random.nextBoolean()) {
        request = request.amount(Amount.ofMinor(1 + random.nextInt(60)));
      }
    } else {
      List<AccountId> accounts = random.nextInt(5) == 0 ? coins() : euros();
      AssetCode asset = accounts.contains(AccountId.of("vault")) ? BTC : EUR;
      Amount amount = Amount.ofMinor(random.nextInt(200));
      request =
          dice < 12
              ? TransferRequest.pending(id, asset, any(accounts), any(accounts), amount)
              : TransferRequest.direct(id, asset, any(accounts), any(accounts), amount);
      if (random.nextInt(8) == 0) {
        request = request.upTo(any(List.of(UpTo.values())));
      }
      if (dice < 12 && random.nextBoolean()) {
        request = request.timeoutSeconds(1 + random.nextInt(20));
      }
    }
    return notes(request);
  }

  private TransferRequest notes(TransferRequest request) {
    if (random.nextInt(4) == 0) {
      request = request.effectiveAt(base.plus(Duration.ofMinutes(random.nextInt(400) - 200)));
    }
    if (random.nextInt(3) == 0) {
      request = request.reference("order-" + random.nextInt(5));
    }
    if (random.nextInt(3) == 0) {
      request = request.code(random.nextInt(3));
    }
    if (random.nextInt(6) == 0) {
      request = request.metadata(Metadata.of(Map.of("k", "ü\n\"")));
    }
    return request;
  }

  List<UUID> groups() {
    return groups;
  }

  List<UUID> related() {
    List<UUID> all = new ArrayList<>(holds);
    all.addAll(moves);
    return all;
  }

  private UUID uuid() {
    return Ids.timeOrdered(base, random);
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
