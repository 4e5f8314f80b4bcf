package dev.partita.testkit;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.Side;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An endless series of random operations, the same for the same seed. It looks at the {@link
 * Auditor} to come close to every boundary: amounts around what is there, what remains, what is
 * left; repeats equal and almost equal; groups whole, permuted and in part.
 */
final class Workload {

  private static final List<Asset> ASSETS =
      List.of(Asset.of("EUR", 2), Asset.of("BTC", 8), Asset.of("WEI", 18));
  private static final AccountId NOBODY = new AccountId("nobody");

  private final Random random;
  private final AuditorBooks books;
  private final RandomTransfers transfers;
  private final List<PostItem> posted = new ArrayList<>();
  private final List<UUID> groups = new ArrayList<>();
  private Instant now = ManualClock.START;
  private int steps;

  Workload(long seed, AuditorBooks books) {
    this.random = new Random(seed);
    this.books = books;
    this.transfers = new RandomTransfers(random, books);
  }

  /** What the ids of this workload are called. */
  Map<UUID, String> names() {
    return transfers.names();
  }

  Operation next() {
    int step = steps++;
    if (step == 0) {
      return new Operation.Register(ASSETS);
    }
    if (step == 1) {
      return new Operation.Open(firstAccounts());
    }
    int dice = random.nextInt(100);
    if (dice < 70) {
      return new Operation.Post(new PostRequest(items()));
    }
    if (dice < 79) {
      return change();
    }
    if (dice < 81) {
      return new Operation.Open(List.of(account("late" + random.nextInt(6))));
    }
    if (dice < 82) {
      return new Operation.Register(List.of(Asset.of("EUR", random.nextInt(4))));
    }
    if (dice < 93) {
      return new Operation.SetClock(moved());
    }
    return new Operation.Expire(random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1000);
  }

  private List<NewAccount> firstAccounts() {
    List<NewAccount> accounts = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      accounts.add(account("a" + i));
    }
    return accounts;
  }

  private NewAccount account(String id) {
    Asset asset = ASSETS.get(random.nextInt(8) / 3);
    NewAccount account = NewAccount.of(id, asset.code().value());
    if (random.nextInt(3) == 0) {
      account = account.normal(Side.DEBIT);
    }
    if (random.nextInt(3) == 0) {
      account = account.code(random.nextInt(3));
    }
    return switch (random.nextInt(6)) {
      case 0 -> account.limits(Limits.NOT_NEGATIVE);
      case 1 -> account.limits(new Limits(Balance.ofMinor(-200), Balance.ofMinor(500)));
      case 2 -> account.metadata(Metadata.of(Map.of("k", "v")));
      default -> account;
    };
  }

  /** Mostly a little later, now and then earlier, often to within a microsecond of a deadline. */
  private Instant moved() {
    Instant deadline = someDeadline();
    if (deadline != null && deadline.isAfter(now) && random.nextInt(3) == 0) {
      now = deadline.plus(random.nextInt(3) - 1L, ChronoUnit.MICROS);
      return now;
    }
    long micros =
        switch (random.nextInt(10)) {
          case 0, 1 -> -random.nextLong(30_000_000);
          case 2 -> random.nextLong(2_000_000_000L);
          case 3 -> 1;
          case 4 -> Duration.ofSeconds(random.nextInt(20)).toMillis() * 1_000;
          default -> random.nextLong(5_000_000);
        };
    now = now.plus(micros, ChronoUnit.MICROS);
    return now;
  }

  private @Nullable Instant someDeadline() {
    int recent = Math.min(books.holdsEver.size(), 30);
    if (recent == 0) {
      return null;
    }
    Instant deadline =
        books.holdsEver.get(books.holdsEver.size() - 1 - random.nextInt(recent)).deadline();
    return deadline == null || deadline.isAfter(now.plusSeconds(100_000)) ? null : deadline;
  }

  private Operation change() {
    List<AuditedAccount> accounts = books.opened();
    AuditedAccount account = accounts.get(random.nextInt(accounts.size()));
    if (random.nextInt(50) == 0) {
      return ScenarioText.operation("change " + NOBODY + " min 5");
    }
    StringBuilder words = new StringBuilder("change ").append(account.opened.id());
    if (account.closed() ? random.nextInt(3) > 0 : random.nextInt(20) == 0) {
      words.append(account.closed() ? " opened" : " closed");
    }
    if (random.nextInt(3) == 0) {
      words.append(" min ").append(limit(account));
    }
    if (random.nextInt(3) == 0) {
      words.append(" max ").append(limit(account));
    }
    if (random.nextInt(8) == 0) {
      words.append(" note k=").append(random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      int last = account.changes.size();
      words.append(" ifChange ").append(Math.max(0, last - random.nextInt(3) + 1));
    }
    if (random.nextInt(6) == 0) {
      words.append(" actor kim");
    }
    return ScenarioText.operation(words.toString());
  }

  private String limit(AuditedAccount account) {
    BigInteger near =
        switch (random.nextInt(6)) {
          case 0 -> BigInteger.ZERO;
          case 1 -> account.spendable();
          case 2 -> account.reach();
          case 3 -> BigInteger.valueOf(random.nextInt(2_000) - 1_000L);
          case 4 -> account.spendable().add(BigInteger.valueOf(random.nextInt(200) - 100L));
          default -> null;
        };
    return near == null ? "none" : near.max(Auditor.MAX.negate()).min(Auditor.MAX).toString();
  }

  private List<PostItem> items() {
    int wanted =
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3, 4 -> 1;
          case 5, 6, 7 -> 2 + random.nextInt(4);
          case 8 -> 6 + random.nextInt(10);
          default -> 1 + random.nextInt(50);
        };
    List<PostItem> items = new ArrayList<>();
    for (int i = 0; i < wanted; i++) {
      PostItem item = item();
      posted.add(item);
      items.add(item);
    }
    return items;
  }

  private PostItem item() {
    int dice = random.nextInt(100);
    if (dice < 72 || posted.isEmpty()) {
      return transfers.next();
    }
    if (dice < 83) {
      return group(members(1 + random.nextInt(random.nextInt(16) == 0 ? 40 : 4)));
    }
    if (dice < 88 && !groups.isEmpty()) {
      return resolution();
    }
    PostItem old = posted.get(random.nextInt(posted.size()));
    if (random.nextInt(3) == 0) {
      return old;
    }
    return switch (old) {
      case TransferRequest transfer ->
          random.nextInt(10) == 0
              ? new GroupRequest(transfer.id(), List.of(transfer))
              : transfers.almost(transfer);
      case GroupRequest group -> almost(group);
      case GroupResolution resolution ->
          new GroupResolution(
              resolution.id(),
              random.nextBoolean() ? resolution.groupId() : anyGroup(),
              random.nextBoolean() ? TransferKind.POST : TransferKind.VOID);
    };
  }

  private List<TransferRequest> members(int count) {
    List<TransferRequest> members = new ArrayList<>();
    int kinds = random.nextBoolean() ? 100 : 62;
    for (int i = 0; i < count; i++) {
      members.add(transfers.next(kinds));
    }
    return members;
  }

  private GroupRequest group(List<TransferRequest> members) {
    UUID id = random.nextInt(5) == 0 ? members.getFirst().id() : transfers.newId("g");
    groups.add(id);
    return new GroupRequest(id, members);
  }

  private GroupResolution resolution() {
    UUID id = random.nextInt(12) == 0 ? anyGroup() : transfers.newId("g");
    UUID target = random.nextInt(15) == 0 ? transfers.newId("x") : anyGroup();
    groups.add(id);
    return new GroupResolution(
        id, target, random.nextBoolean() ? TransferKind.POST : TransferKind.VOID);
  }

  private UUID anyGroup() {
    int recent = Math.min(groups.size(), 20);
    return groups.get(groups.size() - 1 - random.nextInt(recent));
  }

  /** A group that is, in one respect, not the old one; or one of its members alone. */
  private PostItem almost(GroupRequest old) {
    List<TransferRequest> members = new ArrayList<>(old.members());
    UUID id = old.id();
    int at = random.nextInt(members.size());
    switch (random.nextInt(8)) {
      case 0 -> Collections.shuffle(members, random);
      case 1 -> members.removeLast();
      case 2 -> members.removeFirst();
      case 3 -> members.add(transfers.next());
      case 4 -> id = transfers.newId("g");
      case 5 -> members.set(at, transfers.almost(members.get(at)));
      case 6 -> members.add(at, transfers.next());
      default -> {
        return members.get(at);
      }
    }
    Set<UUID> ids = new HashSet<>();
    members.removeIf(member -> !ids.add(member.id()));
    return members.isEmpty() ? old : new GroupRequest(id, members);
  }
}
