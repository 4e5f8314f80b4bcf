package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Amount;
import dev.partita.Balance;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Posting: what the tables cannot say about records, ids, sizes and neighbours. */
abstract class PostingConformance extends Conformance {

  @Test
  void answersAnEmptyRequestWithNothing() {
    assertThat(ledger.post(new PostRequest(List.of())).items()).isEmpty();
  }

  @Test
  void answersWithTheRecordThatIsStoredAndRepeatsIt() {
    givenAccounts("A", "B");
    TransferRequest request =
        direct("T1", "A", "B", 5).code(7).reference("r").effectiveAt(after(-5));

    TransferResult created = ledger.post(request);
    given("clock +60s", "direct T2 A→B 9");
    TransferResult repeated = ledger.post(request);

    assertThat(created.status()).isEqualTo(TransferStatus.CREATED);
    assertThat(repeated.status()).isEqualTo(TransferStatus.EXISTS);
    assertThat(repeated.orThrow()).isEqualTo(created.orThrow());
    assertThat(transfer("T1")).isEqualTo(created.orThrow());
    assertThat(transfer("T1").request()).isEqualTo(request);
    assertThat(transfer("T1").recordedAt()).isEqualTo(START);
  }

  @Test
  void keepsTheRequestAsGivenWithAbsentFieldsAbsent() {
    givenAccounts("A", "B");
    TransferRequest bare = TransferRequest.capture(id("P1"), id("H1")).amount(amount(1));
    TransferRequest named =
        TransferRequest.capture(id("P2"), id("H1"))
            .accounts(account("A"), null)
            .asset(EUR)
            .code(7)
            .reference("r");
    ledger.post(pending("H1", "A", "B", 5).code(7).reference("r"));
    ledger.post(bare.keepRemainder(true));
    ledger.post(named);

    assertThat(transfer("P1").request()).isEqualTo(bare.keepRemainder(true));
    assertThat(transfer("P2").request()).isEqualTo(named);
  }

  @Test
  void submitsWithoutWaitingAndCompletesWithTheSameAnswers() {
    givenAccounts("A", "B");
    PostRequest request = PostRequest.of(direct("T1", "A", "B", 5));

    PostResult submitted =
        ledger.submit(request).toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();

    assertThat(submitted.transfers()).containsExactly(TransferResult.created(transfer("T1")));
    assertThat(ledger.post(request).transfers())
        .containsExactly(TransferResult.exists(transfer("T1")));
  }

  @Test
  void decidesTenThousandTransfersOfOneRequestInOrder() {
    given("open A EUR", "open B EUR min 0");
    List<PostItem> items = new ArrayList<>();
    for (int i = 0; i < PostRequest.TRANSFERS_MAX; i++) {
      items.add(i % 2 == 0 ? direct("T" + i, "A", "B", 3) : direct("T" + i, "B", "A", 4));
    }

    List<TransferResult> results = ledger.post(new PostRequest(items)).transfers();

    Auditor auditor = new Auditor();
    auditor.register(ledger.assets());
    auditor.open(
        List.of(NewAccount.of("A", "EUR"), NewAccount.of("B", "EUR").limits(Limits.NOT_NEGATIVE)),
        START);
    assertThat(results).isEqualTo(auditor.post(new PostRequest(items), START).transfers());
    assertThat(results).hasSize(PostRequest.TRANSFERS_MAX);
  }

  @Test
  void recordsAGroupOfTenThousandWholeOrNotAtAll() {
    given("open A EUR", "open B EUR max 9999", "open C EUR");
    List<TransferRequest> members = new ArrayList<>();
    for (int i = 0; i < GroupRequest.MEMBERS_MAX; i++) {
      members.add(direct("T" + i, "A", "B", 1));
    }
    GroupRequest group = new GroupRequest(id("G"), members);

    List<TransferResult> refused = ledger.post(group).transfers();
    assertThat(refused.getLast().status()).isEqualTo(TransferStatus.BALANCE_LIMIT);
    assertThat(refused.subList(0, refused.size() - 1))
        .extracting(TransferResult::status)
        .containsOnly(TransferStatus.GROUP_FAILED);
    assertThat(balanceOf("A")).isEqualTo(balance(0));

    given("change B max none");
    assertThat(ledger.post(group).transfers())
        .extracting(TransferResult::status)
        .containsOnly(TransferStatus.CREATED);
    assertThat(ledger.post(group).transfers())
        .extracting(TransferResult::status)
        .containsOnly(TransferStatus.EXISTS);
    assertThat(balanceOf("B")).isEqualTo(balance(10_000));
  }

  /** Where other number types end: those of JavaScript and of 64 bits, and beyond. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "100000000000000000000000000000000000000",
        "170141183460469231731687303715884105726",
        "170141183460469231731687303715884105727"
      })
  void keepsAmountsAtTheEdgesOfOtherNumberTypes(String minorUnits) {
    givenAccounts("A", "B");
    Amount amount = Amount.ofMinor(new BigInteger(minorUnits));
    ledger.post(TransferRequest.direct(id("T1"), EUR, account("A"), account("B"), amount));

    assertThat(transfer("T1").amount()).hasToString(minorUnits).isEqualTo(amount);
    assertThat(balanceOf("B")).hasToString(minorUnits);
    assertThat(balanceOf("A")).hasToString("-" + minorUnits);
    assertThat(ledger.balanceAsEffective(account("B"), START).credits()).isEqualTo(amount);
    assertThat(ledger.trialBalance().lines().getFirst().creditsPosted()).hasToString(minorUnits);
    // One unit more than fits is refused before anything is written.
    Amount rest = Amount.MAX.minus(amount);
    TransferRequest fits = TransferRequest.direct(id("T2"), EUR, account("A"), account("B"), rest);
    assertThat(ledger.post(fits).status()).isEqualTo(TransferStatus.CREATED);
    assertThat(ledger.post(direct("T3", "A", "B", 1)).status()).isEqualTo(TransferStatus.OVERFLOW);
    assertThat(ledger.transfer(id("T3"))).isEmpty();
    assertThat(balanceOf("B")).isEqualTo(Balance.MAX);
  }

  /** The same accounts and the same amount: two members all the same, in their order. */
  @Test
  void keepsBothOfTwoMembersThatDifferInTheirIdsAlone() {
    givenAccounts("A", "B");
    GroupRequest group =
        new GroupRequest(id("G"), List.of(direct("T2", "A", "B", 5), direct("T1", "A", "B", 5)));

    List<TransferResult> first = ledger.post(group).transfers();
    List<TransferResult> again = ledger.post(group).transfers();

    assertThat(first).extracting(TransferResult::id).containsExactly(id("T2"), id("T1"));
    assertThat(again).extracting(TransferResult::status).containsOnly(TransferStatus.EXISTS);
    assertThat(again)
        .extracting(TransferResult::orThrow)
        .isEqualTo(first.stream().map(TransferResult::orThrow).toList());
    assertThat(ledger.find(TransferQuery.group(id("G"), 9)).items())
        .isEqualTo(first.stream().map(TransferResult::orThrow).toList());
    assertThat(balanceOf("B")).isEqualTo(balance(10));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000-0000-0000-0000-000000000001",
        "ffffffff-ffff-ffff-ffff-fffffffffffe",
        "80000000-0000-4000-8000-000000000000",
        "7fffffff-ffff-7fff-bfff-ffffffffffff",
        "c232ab00-9414-11ec-b3c8-9f6bdeced846",
        "00000000-0000-0000-8000-000000000000"
      })
  void takesAnyIdButNilMaxAndVersion8(String uuid) {
    givenAccounts("A", "B");
    UUID id = UUID.fromString(uuid);
    TransferRequest request =
        TransferRequest.direct(id, EUR, account("A"), account("B"), amount(1));

    assertThat(ledger.post(request).orThrow().id()).isEqualTo(id);
    assertThat(ledger.transfer(id).orElseThrow().request()).isEqualTo(request);
    assertThat(ledger.post(new GroupRequest(id, List.of(direct("T1", "A", "B", 1)))).isRecorded())
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "00000000-0000-8000-8000-000000000000"
      })
  void looksForAnyRelatedId(String uuid) {
    givenAccounts("A", "B");
    UUID related = UUID.fromString(uuid);

    assertThat(post(TransferRequest.capture(id("P1"), related)))
        .extracting(TransferResult::status)
        .containsExactly(TransferStatus.PENDING_NOT_FOUND);
    assertThat(post(TransferRequest.reversal(id("R1"), related)))
        .extracting(TransferResult::status)
        .containsExactly(TransferStatus.ORIGINAL_NOT_FOUND);
  }

  @Test
  void derivesTheIdsOfExpiriesAndOfResolvedGroups() {
    givenAccounts("A", "B");
    UUID hold = UUID.fromString("018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b");
    UUID group = UUID.fromString("f47ac10b-58cc-4372-a567-0e02b2c3d479");
    ledger.post(
        TransferRequest.pending(hold, EUR, account("A"), account("B"), amount(1))
            .timeoutSeconds(1));
    ledger.post(
        new GroupRequest(
            id("G"),
            List.of(
                direct("T1", "A", "B", 1),
                pending("H1", "A", "B", 1),
                direct("T2", "A", "B", 1),
                pending("H2", "A", "B", 1))));
    clock.set(after(1));

    assertThat(ids(ledger.expireDue(10)))
        .containsExactly(DerivedIds.expiryOf(hold))
        .containsExactly(Ids.expiryOf(hold));
    assertThat(ledger.post(GroupResolution.postGroup(group, id("G"))).transfers())
        .extracting(TransferResult::id)
        .containsExactly(DerivedIds.memberOf(group, 0), DerivedIds.memberOf(group, 1));
    assertThat(ledger.transfer(DerivedIds.memberOf(group, 1)).orElseThrow().relatedId())
        .isEqualTo(id("H2"));
  }

  @Test
  void recordsAnExpiryAsTheEnginesOwnTransfer() {
    givenAccounts("A", "B");
    given("pending H1 A→B 5 timeout 10 code 7 ref r", "clock +12s");

    Transfer expiry = ledger.expireDue(1).getFirst();

    assertThat(expiry.kind()).isEqualTo(TransferKind.EXPIRY);
    assertThat(expiry.request()).isEqualTo(TransferRequest.expiry(id("H1")));
    assertThat(expiry.amount()).isEqualTo(amount(5));
    assertThat(expiry.released()).isEqualTo(Amount.ZERO);
    assertThat(expiry.last()).isTrue();
    assertThat(expiry.code()).isEqualTo(7);
    assertThat(expiry.reference()).isEqualTo("r");
    assertThat(expiry.recordedAt()).isEqualTo(after(12));
    assertThat(expiry.debitAfter().version()).isEqualTo(2);
    assertThat(ledger.transfer(expiry.id())).contains(expiry);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void refusesToExpireFewerThanOneOrMoreThanTenThousand(int limit) {
    assertThat(misuse(() -> ledger.expireDue(limit)).field()).isEqualTo("limit");
  }

  @Test
  void keepsTheFirstAndTheLastEffectiveTime() {
    givenAccounts("A", "B");
    Instant first = Instant.parse("0001-01-01T00:00:00Z");
    Instant last = Instant.parse("9999-12-31T23:59:59.999999Z");
    ledger.post(direct("T1", "A", "B", 1).effectiveAt(first));
    ledger.post(direct("T2", "A", "B", 1).effectiveAt(last));
    ledger.post(
        direct("T3", "A", "B", 1).effectiveAt(Instant.parse("1969-12-31T23:59:59.999999Z")));

    assertThat(transfer("T1").countsAt()).isEqualTo(first);
    assertThat(transfer("T2").countsAt()).isEqualTo(last);
    assertThat(transfer("T3").countsAt()).isEqualTo(Instant.parse("1969-12-31T23:59:59.999999Z"));
  }

  @Test
  void cutsTheClockToWholeMicroseconds() {
    givenAccounts("A", "B");
    clock.set(START.plusNanos(1_999));

    assertThat(post(direct("T1", "A", "B", 1)).getFirst().orThrow().recordedAt())
        .isEqualTo(START.plusNanos(1_000));
  }

  @Test
  void keepsReferencesToTheCharacter() {
    givenAccounts("A", "B");
    List<String> references =
        List.of(
            "x".repeat(255),
            "\ud83d\udca9".repeat(255),
            "' OR '1'='1",
            "a\\b%_\"`$1",
            " blank ",
            "e\u0301",
            "\u00e9",
            "null",
            "İı",
            "\u00a0");
    for (int i = 0; i < references.size(); i++) {
      ledger.post(direct("T" + i, "A", "B", 1).reference(references.get(i)));
    }
    for (int i = 0; i < references.size(); i++) {
      assertThat(transfer("T" + i).reference()).isEqualTo(references.get(i));
      assertThat(ids(ledger.find(TransferQuery.reference(references.get(i), 9)).items()))
          .containsExactly(id("T" + i));
    }
  }

  @Test
  void givesTheSameAnswersHoweverTransfersAreSharedAmongRequests() {
    given("open A EUR min 0", "open B EUR min 0", "open Z EUR");
    Ledger other = engine().open(clock);
    try {
      other.register(ledger.assets());
      other.open(
          List.of(
              NewAccount.of("A", "EUR").limits(Limits.NOT_NEGATIVE),
              NewAccount.of("B", "EUR").limits(Limits.NOT_NEGATIVE),
              NewAccount.of("Z", "EUR")));
      List<TransferRequest> transfers = new ArrayList<>();
      Random random = new Random(7);
      List<String> accounts = List.of("A", "B", "Z");
      for (int i = 0; i < 200; i++) {
        int debit = random.nextInt(3);
        int credit = (debit + 1 + random.nextInt(2)) % 3;
        transfers.add(
            direct("T" + i, accounts.get(debit), accounts.get(credit), random.nextInt(50)));
      }

      List<TransferResult> together =
          ledger.post(new PostRequest(List.copyOf(transfers))).transfers();
      List<TransferResult> apart = transfers.stream().map(other::post).toList();

      assertThat(together).isEqualTo(apart);
    } finally {
      engine().dispose(other);
    }
  }

  @Test
  void neverMeetsAnotherLedgerWithTheSameIds() {
    givenAccounts("A", "B");
    given("pending H1 A→B 5");
    Ledger other = engine().open(clock);
    try {
      assertThat(other.assets()).isEmpty();
      assertThat(other.account(account("A"))).isEmpty();
      assertThat(other.post(TransferRequest.capture(id("P1"), id("H1"))).status())
          .isEqualTo(TransferStatus.PENDING_NOT_FOUND);
      other.register(ledger.assets());
      other.open(List.of(NewAccount.of("A", "USD"), NewAccount.of("B", "USD")));
      assertThat(other.post(pending("H1", "A", "B", 5)).status())
          .isEqualTo(TransferStatus.ASSET_MISMATCH);
      assertThat(other.post(pending("H1", "A", "B", 7).asset(USD)).status())
          .isEqualTo(TransferStatus.CREATED);
      assertThat(ledger.holds(HoldQuery.all(9)).items())
          .extracting(Hold::remaining)
          .containsExactly(amount(5));
      assertThat(other.holds(HoldQuery.all(9)).items())
          .extracting(Hold::remaining)
          .containsExactly(amount(7));
    } finally {
      engine().dispose(other);
    }
  }
}
