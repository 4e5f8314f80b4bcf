package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.HoldQuery;
import dev.partita.Ids;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.PostRequest;
import dev.partita.StatementQuery;
import dev.partita.TransferKind;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every entry for text and numbers refuses what cannot be meant and names the field. */
class HostileInputTest {

  private static final Asset EUR = Asset.of("EUR", 2);
  private static final AccountId A = new AccountId("A");
  private static final AccountId B = new AccountId("B");
  private static final UUID ID = ScenarioText.id("T1");
  private static final UUID HOLD = ScenarioText.id("H1");
  private static final TransferRequest DIRECT =
      TransferRequest.direct(ID, EUR.code(), A, B, Amount.ofMinor(5));
  private static final TransferRequest PENDING =
      TransferRequest.pending(ID, EUR.code(), A, B, Amount.ofMinor(5));
  private static final TransferRequest POST = TransferRequest.capture(ID, HOLD);
  private static final TransferRequest VOID = TransferRequest.voiding(ID, HOLD);
  private static final TransferRequest REVERSAL = TransferRequest.reversal(ID, HOLD);

  /** Texts that are no name, number or line anywhere. */
  static List<String> hostile() {
    return List.of(
        "",
        " ",
        "\u0000",
        "a\u0000b",
        "\n",
        "a\nb",
        "\t1",
        "1 ",
        " 1",
        "\u007f",
        "\u0085",
        "\ud800",
        "\udc00\ud800",
        "a\udfff",
        "1\u0000");
  }

  /** Texts that some parser somewhere takes for a number. */
  static List<String> noNumbers() {
    return List.of(
        "NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "+Infinity",
        "inf",
        "∞",
        "1e5",
        "1E5",
        "1e-2",
        "1e400",
        "+1",
        "--1",
        "1-",
        "- 1",
        "0x10",
        "1_000",
        "1,000",
        "1.2.3",
        ".5",
        "5.",
        ".",
        "-",
        "-.",
        "1.",
        "1..2",
        "１",
        "１２.３４",
        "٣",
        "٠٫٥",
        "१२",
        "²",
        "½",
        "一",
        "1\u00a0",
        "\u20071",
        "1\u200b",
        "null",
        "true",
        "0b1",
        "1L",
        "1f",
        "1d",
        "$1",
        "1 EUR",
        "EUR 1",
        "1.0.",
        "'1'",
        "\u22125",
        "(5)",
        "%31");
  }

  static void refused(String field, ThrowingCallable call) {
    MisuseException misuse = catchThrowableOfType(MisuseException.class, call);
    assertThat(misuse).as("refusal of a malformed " + field).isNotNull();
    assertThat(misuse.field()).isNotNull().startsWith(field);
    assertThat(misuse.getMessage()).startsWith(field).hasSizeGreaterThan(field.length() + 5);
    assertThat(misuse.getMessage().chars().allMatch(c -> c >= ' ' && !Character.isISOControl(c)))
        .as("a message fit for a log")
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource({"hostile", "noNumbers"})
  void amountsAndBalancesAreDecimalsOrRefused(String text) {
    refused("amount", () -> Amount.parse(text, EUR));
    refused("balance", () -> Balance.parse(text, EUR));
  }

  @Test
  void amountsAreNotNegativeAndBalancesHaveAtMostOneSign() {
    for (String text : List.of("-1", "-0", "-0.00", "-1.5")) {
      refused("amount", () -> Amount.parse(text, EUR));
      assertThat(Balance.parse(text, EUR).compareTo(Balance.ZERO)).isLessThanOrEqualTo(0);
    }
    refused("amount", () -> Amount.ofMinor(-1));
    refused("amount", () -> Amount.ofMinor(BigInteger.ONE.negate()));
    refused("amount", () -> Amount.ofMinor(Long.MIN_VALUE));
  }

  @Test
  void amountsAreNeverRounded() {
    assertThat(Amount.parse("90", EUR)).isEqualTo(Amount.ofMinor(9_000));
    assertThat(Amount.parse("90.0", EUR)).isEqualTo(Amount.ofMinor(9_000));
    assertThat(Amount.parse("0090.00", EUR)).isEqualTo(Amount.ofMinor(9_000));
    for (String text : List.of("90.000", "0.001", "90.009", "0.000000000000000000000000000001")) {
      refused("amount", () -> Amount.parse(text, EUR));
      refused("balance", () -> Balance.parse("-" + text, EUR));
    }
    refused("amount", () -> Amount.parse("1.0", Asset.of("JPY", 0)));
  }

  @Test
  void amountsEndAtTheLargest() {
    Asset whole = Asset.of("TINY", 0);
    Asset fine = Asset.of("FINE", 30);
    BigInteger max = BigInteger.TWO.pow(127).subtract(BigInteger.ONE);
    assertThat(Amount.parse(max.toString(), whole)).isEqualTo(Amount.MAX);
    assertThat(Balance.parse("-" + max, whole)).isEqualTo(Balance.MIN);
    assertThat(Amount.parse(Amount.MAX.format(fine), fine)).isEqualTo(Amount.MAX);
    refused("amount", () -> Amount.parse(max.add(BigInteger.ONE).toString(), whole));
    refused("balance", () -> Balance.parse("-" + max.add(BigInteger.ONE), whole));
    refused("balance", () -> Balance.parse(max.add(BigInteger.ONE).toString(), whole));
    refused("amount", () -> Amount.parse("170141183.460469231731687303715884105728", fine));
    refused("amount", () -> Amount.parse("9".repeat(100_000), whole));
    refused("amount", () -> Amount.ofMinor(max.add(BigInteger.ONE)));
    refused("amount", () -> Amount.ofMinor(BigInteger.TWO.pow(10_000)));
    refused("balance", () -> Balance.ofMinor(BigInteger.TWO.pow(127).negate()));
  }

  @ParameterizedTest
  @MethodSource({"hostile"})
  @ValueSource(
      strings = {
        ":", "a:", ":a", "a::b", "a b", "a/b", "a*", "a%", "a'", "ä", "Ａ", "a\u200b", "а", "a,b"
      })
  void accountIdsAreSegmentsOfPlainCharacters(String text) {
    refused("account", () -> new AccountId(text));
    refused("account", () -> NewAccount.of(text, "EUR"));
    if (!text.equals("a:")) {
      refused("prefix", () -> AccountQuery.prefix(text, 1));
    }
  }

  @Test
  void accountIdsHaveAtMost128Characters() {
    assertThat(new AccountId("a".repeat(128)).value()).hasSize(128);
    refused("account", () -> new AccountId("a".repeat(129)));
    refused("account", () -> new AccountId("a".repeat(1_000_000)));
  }

  @ParameterizedTest
  @MethodSource("hostile")
  @ValueSource(
      strings = {"eur", "EUr", "1EUR", "_EUR", "EUR ", "E-R", "E.R", "ÉUR", "ＥＵＲ", "E UR", "ıABC"})
  void assetCodesAreCapitalsDigitsAndUnderscores(String text) {
    refused("asset", () -> new AssetCode(text));
    refused("asset", () -> Asset.of(text, 2));
    refused("asset", () -> Asset.iso(text));
  }

  @Test
  void assetsHaveBoundedCodesAndScales() {
    assertThat(Asset.of("A234567890123456", 30).scale()).isEqualTo(30);
    refused("asset", () -> Asset.of("A2345678901234567", 2));
    refused("scale", () -> Asset.of("EUR", 31));
    refused("scale", () -> Asset.of("EUR", -1));
    refused("scale", () -> Asset.iso("XXX"));
    assertThat(Asset.iso("JPY").scale()).isZero();
    assertThat(Asset.iso("KWD").scale()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource({"hostile", "noNumbers"})
  @ValueSource(
      strings = {
        "1-1-1-1-1",
        "018f4e2a7c1b7d3e9a4b5c6d7e8f9a0b",
        "{018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b}",
        "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0",
        "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b0",
        "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0g",
        "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a０b",
        "018f4e2a_7c1b_7d3e_9a4b_5c6d7e8f9a0b",
        "-18f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b"
      })
  void idsAreWholeUuids(String text) {
    refused("id", () -> Ids.parse("id", text));
  }

  @Test
  void idsAreNeitherNilNorMaxNorTheEnginesOwn() {
    Amount one = Amount.ofMinor(1);
    UUID engines = new UUID(0x8000L, Long.MIN_VALUE);
    for (UUID id : List.of(new UUID(0, 0), new UUID(-1, -1), engines)) {
      refused("id", () -> TransferRequest.direct(id, EUR.code(), A, B, one));
      refused("id", () -> TransferRequest.pending(id, EUR.code(), A, B, one));
      refused("id", () -> TransferRequest.reversal(id, HOLD));
      refused("group", () -> new GroupRequest(id, List.of(DIRECT)));
      refused("group", () -> GroupResolution.postGroup(id, HOLD));
    }
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void referencesAndActorsAreLinesWithoutControlCharacters(String text) {
    if (text.isBlank() && !text.isEmpty() && text.chars().noneMatch(Character::isISOControl)) {
      assertThat(DIRECT.reference(text).reference()).isEqualTo(text);
    } else if (text.isEmpty() || !text.strip().equals("1") || text.charAt(0) == '\t') {
      refused("reference", () -> DIRECT.reference(text));
      refused("reference", () -> TransferQuery.reference(text, 1));
      refused("actor", () -> ChangeRequest.of(A).actor(text));
    } else {
      assertThat(DIRECT.reference(text).reference()).isEqualTo(text);
    }
  }

  @Test
  void textsAreMeasuredInCodePoints() {
    String money = "\ud83d\udcb6";
    assertThat(DIRECT.reference(money.repeat(255)).reference()).hasSize(510);
    refused("reference", () -> DIRECT.reference(money.repeat(256)));
    refused("reference", () -> DIRECT.reference("x".repeat(256)));
    assertThat(ChangeRequest.of(A).actor(money.repeat(128)).actor()).hasSize(256);
    refused("actor", () -> ChangeRequest.of(A).actor("x".repeat(129)));
  }

  @Test
  void metadataIsBoundedAndStorable() {
    for (String key : List.of("", " ", "a b", "a:b", "ä", "a\u0000", "k".repeat(65))) {
      refused("metadata", () -> Metadata.of(Map.of(key, "v")));
    }
    for (String value : List.of("\u0000", "a\u0000", "\ud800", "\udc00x")) {
      refused("metadata", () -> Metadata.of(Map.of("k", value)));
    }
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 64; i++) {
      many.put("k" + i, "");
    }
    assertThat(Metadata.of(many).asMap()).hasSize(64);
    many.put("k64", "");
    refused("metadata", () -> Metadata.of(many));
    assertThat(Metadata.of(Map.of("k", "v".repeat(16_383))).bytes()).isEqualTo(16_384);
    refused("metadata", () -> Metadata.of(Map.of("k", "v".repeat(16_384))));
    refused("metadata", () -> Metadata.of(Map.of("k", "é".repeat(8_192))));
    refused("metadata", () -> Metadata.of(Map.of("k", "v".repeat(10_000_000))));
  }

  @Test
  void codesTimeoutsAndLimitsAreInRange() {
    for (int code : new int[] {-1, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      refused("code", () -> DIRECT.code(code));
      refused("code", () -> NewAccount.of("A", "EUR").code(code));
      refused("code", () -> TransferQuery.account(A, 1).code(code));
      refused("code", () -> new AccountQuery(null, null, code, null, 1));
    }
    for (int timeout : new int[] {0, -1, Integer.MIN_VALUE}) {
      refused("timeout", () -> PENDING.timeoutSeconds(timeout));
    }
    assertThat(PENDING.timeoutSeconds(Integer.MAX_VALUE).timeoutSeconds()).isPositive();
    refused(
        "minBalance",
        () -> NewAccount.of("A", "EUR").limits(new Limits(Balance.ofMinor(1), Balance.ofMinor(0))));
    refused("ifChange", () -> ChangeRequest.of(A).ifChange(-1));
  }

  @Test
  void effectiveTimesAreWholeMicrosecondsOfFourDigitYears() {
    for (String time :
        List.of(
            "0000-12-31T23:59:59.999999Z",
            "+10000-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "2026-01-01T00:00:00.000000001Z",
            "2026-01-01T00:00:00.123456789Z")) {
      refused("effectiveAt", () -> DIRECT.effectiveAt(Instant.parse(time)));
    }
    refused("effectiveAt", () -> DIRECT.effectiveAt(Instant.MIN));
    refused("effectiveAt", () -> DIRECT.effectiveAt(Instant.MAX));
  }

  @Test
  void eachKindHasOnlyItsOwnFields() {
    Amount one = Amount.ofMinor(1);
    refused("amount", () -> VOID.amount(one));
    refused("amount", () -> POST.keepRemainder(true).amount(Amount.ZERO));
    refused("amount", () -> POST.amount(Amount.ZERO).keepRemainder(true));
    for (TransferRequest request : List.of(DIRECT, PENDING, VOID, REVERSAL)) {
      refused("keepRemainder", () -> request.keepRemainder(true));
    }
    for (TransferRequest request : List.of(DIRECT, POST, VOID, REVERSAL)) {
      refused("timeout", () -> request.timeoutSeconds(1));
    }
    for (TransferRequest request : List.of(POST, VOID, REVERSAL)) {
      refused("upTo", () -> request.upTo(UpTo.DEBIT));
    }
    refused("debit", () -> REVERSAL.accounts(A, null));
    refused("credit", () -> REVERSAL.accounts(null, B));
    refused("debit", () -> DIRECT.accounts(null, B));
    refused("credit", () -> DIRECT.accounts(A, null));
    refused("kind", () -> new GroupResolution(ID, HOLD, TransferKind.DIRECT));
  }

  @Test
  void groupsAndRequestsAreBounded() {
    refused("group", () -> GroupRequest.of(List.of()));
    refused("group", () -> new GroupRequest(ID, List.of()));
    refused("group", () -> new GroupRequest(ID, List.of(DIRECT, DIRECT)));
    refused("group", () -> new GroupRequest(ID, Collections.nCopies(10_001, DIRECT)));
    refused("items", () -> new PostRequest(Collections.nCopies(10_001, DIRECT)));
    GroupRequest two = new GroupRequest(ID, List.of(DIRECT, TransferRequest.capture(HOLD, HOLD)));
    refused("items", () -> new PostRequest(Collections.nCopies(5_001, two)));
    assertThat(new PostRequest(Collections.nCopies(5_000, two)).transferCount()).isEqualTo(10_000);
  }

  @Test
  void questionsAreBounded() {
    Instant now = ManualClock.START;
    for (int limit : new int[] {0, -1, 10_001, Integer.MIN_VALUE}) {
      refused("limit", () -> HoldQuery.all(limit));
      refused("limit", () -> AccountQuery.all(limit));
      refused("limit", () -> StatementQuery.newestFirst(A, limit));
      refused("limit", () -> TransferQuery.account(A, limit));
    }
    refused("from", () -> TransferQuery.between(now, now.minusNanos(1), 1));
    for (ThrowingCallable unbounded :
        List.<ThrowingCallable>of(
            () -> new TransferQuery(null, null, null, null, null, null, null, null, 1),
            () -> new TransferQuery(null, null, null, null, 7, null, null, null, 1),
            () -> new TransferQuery(null, null, null, null, null, now, null, null, 1),
            () -> TransferQuery.between(now, now.plus(Duration.ofDays(31)).plusNanos(1), 1),
            () -> TransferQuery.between(Instant.MIN, Instant.MAX, 1))) {
      assertThat(catchThrowableOfType(MisuseException.class, unbounded)).isNotNull();
    }
    assertThat(TransferQuery.between(now, now.plus(Duration.ofDays(31)), 1).limit()).isOne();
  }
}
