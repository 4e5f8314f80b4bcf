package dev.partita.json;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.Counters;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Hold;
import dev.partita.Ids;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferField;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.TrialBalance;
import dev.partita.UpTo;
import dev.partita.VerifyReport;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values of every kind, with everything optional there or not, from the smallest to the largest.
 */
final class RandomValues {

  static final Map<AssetCode, Asset> ASSETS =
      Map.of(
          new AssetCode("EUR"), Asset.iso("EUR"),
          new AssetCode("JPY"), Asset.iso("JPY"),
          new AssetCode("POINTS_30"), Asset.of("POINTS_30", 30));

  private static final List<AssetCode> CODES = ASSETS.keySet().stream().sorted().toList();
  private static final String TEXT = "aZ09 \"\\/<>&'éß€中😀\u007f\u2028{}[]:,";

  private final Random random;

  RandomValues(long seed) {
    random = new Random(seed);
  }

  AssetCode assetCode() {
    return pick(CODES);
  }

  Account account() {
    AccountBalance balance = balance(assetCode());
    return new Account(
        balance.account(),
        limits(),
        code(),
        metadata(),
        balance,
        time(),
        maybe(this::time),
        random.nextInt(3));
  }

  AccountBalance balance(AssetCode asset) {
    return new AccountBalance(
        accountId(), asset, side(), 1 + random.nextLong(1L << 62), counters());
  }

  BalanceReading reading() {
    return new BalanceReading(balance(assetCode()), time());
  }

  EffectiveReading effective() {
    return new EffectiveReading(accountId(), assetCode(), side(), amount(), amount(), time());
  }

  AccountChange change() {
    return new AccountChange(
        accountId(),
        1 + random.nextInt(9),
        terms(),
        terms(),
        random.nextLong(1L << 62),
        time(),
        maybe(() -> line(128)));
  }

  AccountTerms terms() {
    return new AccountTerms(limits(), metadata(), random.nextBoolean());
  }

  ChangeRequest changeRequest(AccountId account) {
    ChangeRequest change = ChangeRequest.of(account);
    if (random.nextBoolean()) {
      change = change.minBalance(maybe(this::signed));
    }
    if (random.nextBoolean()) {
      change = change.maxBalance(maybe(this::signed));
    }
    if (random.nextBoolean()) {
      change = change.metadata(metadata());
    }
    if (random.nextBoolean()) {
      change = random.nextBoolean() ? change.close() : change.reopen();
    }
    if (random.nextBoolean()) {
      change = change.ifChange(random.nextLong(1L << 62));
    }
    return random.nextBoolean() ? change.actor(line(128)) : change;
  }

  NewAccount newAccount() {
    Limits limits = limits();
    return new NewAccount(
        accountId(),
        assetCode(),
        side(),
        limits.crossed() ? new Limits(limits.maxBalance(), limits.minBalance()) : limits,
        code(),
        metadata());
  }

  Transfer transfer() {
    TransferKind kind = pick(List.of(TransferKind.values()));
    TransferRequest request =
        kind == TransferKind.EXPIRY ? TransferRequest.expiry(id()) : request(kind, false);
    AssetCode asset = request.asset() == null ? assetCode() : request.asset();
    return new Transfer(
        request,
        amount(),
        amount(),
        random.nextBoolean(),
        maybe(() -> new GroupRef(id(), random.nextInt(7), 7)),
        code(),
        maybe(() -> line(255)),
        time(),
        at(balance(asset), request.debit()),
        at(balance(asset), request.credit()));
  }

  private static AccountBalance at(AccountBalance balance, @Nullable AccountId account) {
    return account == null
        ? balance
        : new AccountBalance(
            account, balance.asset(), balance.normal(), balance.version(), balance.counters());
  }

  Entry entry() {
    return new Entry(transfer(), side());
  }

  Hold hold() {
    return new Hold(transfer(), amount());
  }

  /** A request that a caller may post; with its asset beside its amount if so asked. */
  TransferRequest request(boolean assetBesideAmount) {
    return request(
        pick(
            List.of(
                TransferKind.DIRECT,
                TransferKind.PENDING,
                TransferKind.POST,
                TransferKind.VOID,
                TransferKind.REVERSAL)),
        assetBesideAmount);
  }

  private TransferRequest request(TransferKind kind, boolean assetBesideAmount) {
    boolean related = kind.isRelated();
    boolean holds = kind.resolvesHold();
    Amount amount = kind == TransferKind.VOID ? null : related ? maybe(this::amount) : amount();
    boolean asset = !related || random.nextBoolean() || (assetBesideAmount && amount != null);
    return new TransferRequest(
        id(),
        kind,
        related ? id() : null,
        asset ? assetCode() : null,
        !related || (holds && random.nextBoolean()) ? accountId() : null,
        !related || (holds && random.nextBoolean()) ? accountId() : null,
        amount,
        related ? UpTo.NONE : pick(List.of(UpTo.values())),
        kind == TransferKind.POST && (amount == null || !amount.isZero()) && random.nextBoolean(),
        kind == TransferKind.PENDING ? maybe(() -> 1 + random.nextInt(Integer.MAX_VALUE)) : null,
        maybe(this::time),
        maybe(this::code),
        maybe(() -> line(255)),
        metadata());
  }

  PostRequest postRequest(boolean assetBesideAmount) {
    return new PostRequest(several(6, () -> item(assetBesideAmount)));
  }

  private PostItem item(boolean assetBesideAmount) {
    return switch (random.nextInt(4)) {
      case 0 -> {
        List<TransferRequest> members =
            new ArrayList<>(several(5, () -> request(assetBesideAmount)));
        members.add(request(assetBesideAmount));
        yield new GroupRequest(id(), members);
      }
      case 1 ->
          new GroupResolution(
              id(), id(), random.nextBoolean() ? TransferKind.POST : TransferKind.VOID);
      default -> request(assetBesideAmount);
    };
  }

  PostResult postResult() {
    return new PostResult(several(6, () -> new PostResult.Item(several(4, this::transferResult))));
  }

  TransferResult transferResult() {
    TransferStatus status = pick(List.of(TransferStatus.values()));
    return switch (status) {
      case CREATED -> TransferResult.created(transfer());
      case EXISTS -> TransferResult.exists(transfer());
      case EXISTS_DIFFERENT ->
          TransferResult.existsDifferent(id(), pick(List.of(TransferField.values())));
      default -> TransferResult.refused(id(), status, maybe(this::accountId));
    };
  }

  TrialBalance trialBalance() {
    return new TrialBalance(
        several(
            5,
            () ->
                new TrialBalance.Line(
                    assetCode(),
                    code(),
                    side(),
                    random.nextLong(1L << 62),
                    total(),
                    total(),
                    total(),
                    total())),
        time());
  }

  VerifyReport report() {
    return new VerifyReport(
        line(40),
        random.nextLong(1L << 62),
        random.nextLong(1L << 62),
        several(
            3,
            () ->
                new VerifyReport.Violation(1 + random.nextInt(7), accountId().value(), line(200))));
  }

  <T> List<T> several(int max, Supplier<T> value) {
    List<T> values = new ArrayList<>();
    int count = random.nextInt(max + 1);
    for (int i = 0; i < count; i++) {
      values.add(value.get());
    }
    return values;
  }

  <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextBoolean() ? value.get() : null;
  }

  <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  UUID id() {
    return Ids.timeOrdered(Instant.ofEpochMilli(random.nextLong(1L << 48)), random);
  }

  AccountId accountId() {
    StringBuilder id = new StringBuilder("a");
    for (int i = random.nextInt(20); i > 0; i--) {
      id.append("Aa9._-".charAt(random.nextInt(6)));
    }
    return new AccountId(random.nextBoolean() ? id + ":" + id : id.toString());
  }

  Amount amount() {
    return switch (random.nextInt(6)) {
      case 0 -> Amount.ZERO;
      case 1 -> Amount.MAX;
      default -> Amount.ofMinor(new BigInteger(random.nextInt(128), random));
    };
  }

  Balance signed() {
    return Balance.difference(amount(), amount());
  }

  private BigInteger total() {
    return new BigInteger(random.nextInt(160), random);
  }

  /** Posted and pending of a side are together no more than an amount, as the rules have it. */
  private Counters counters() {
    return new Counters(half(), half(), half(), half());
  }

  private Amount half() {
    return Amount.ofMinor(new BigInteger(random.nextInt(127), random));
  }

  private Limits limits() {
    return new Limits(maybe(this::signed), maybe(this::signed));
  }

  private int code() {
    return random.nextInt(4) == 0 ? TransferRequest.CODE_MAX : random.nextInt(100);
  }

  private Side side() {
    return random.nextBoolean() ? Side.DEBIT : Side.CREDIT;
  }

  private Metadata metadata() {
    Map<String, String> entries = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      entries.put("key." + random.nextInt(99), random.nextInt(5) == 0 ? "" : line(30) + "\n\t");
    }
    return Metadata.of(entries);
  }

  Instant time() {
    long second = random.nextLong(-62_135_596_800L, 253_402_300_800L);
    return Instant.ofEpochSecond(second, random.nextInt(1_000_000) * 1_000L);
  }

  private String line(int max) {
    int[] alphabet = TEXT.codePoints().filter(c -> !Character.isISOControl(c)).toArray();
    StringBuilder line = new StringBuilder();
    for (int i = 1 + random.nextInt(max); i > 0; i--) {
      line.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    return line.toString();
  }
}
