package dev.partita.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.Counters;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Ids;
import dev.partita.PostRequest;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;

/** What the documents look like: names, order, and what is left out. */
class FormsTest {

  private static final JsonWriter WRITER = new JsonWriter(Amounts.major(RandomValues.ASSETS::get));
  private static final UUID ID = Ids.parse("id", "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b");
  private static final UUID OTHER = Ids.parse("id", "018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0c");
  private static final AssetCode EUR = new AssetCode("EUR");
  private static final AccountId SALES = AccountId.of("sales");
  private static final AccountId FEES = AccountId.of("fees");

  @Test
  void aRequestHasOnlyWhatWasGiven() {
    assertThat(text(out -> WRITER.write(out, TransferRequest.voiding(ID, OTHER))))
        .isEqualTo(
            """
            {"id":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b","kind":"VOID",\
            "relatedId":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0c"}""");
  }

  @Test
  void itemsAreTransfersGroupsAndResolutions() {
    TransferRequest member =
        TransferRequest.direct(ID, EUR, SALES, FEES, Amount.ofMinor(150)).reference("order 7");
    PostRequest request =
        new PostRequest(
            List.of(
                new GroupRequest(OTHER, List.of(member)), GroupResolution.postGroup(ID, OTHER)));

    assertThat(text(out -> WRITER.write(out, request)))
        .isEqualTo(
            """
            {"items":[{"group":{"id":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0c","members":[\
            {"id":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b","kind":"DIRECT","asset":"EUR",\
            "debit":"sales","credit":"fees","amount":"1.50","code":0,"reference":"order 7"}]}},\
            {"resolve":{"id":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b",\
            "groupId":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0c","kind":"POST"}}]}""");
  }

  @Test
  void aTransferTellsWhatBecameOfItBesideWhatWasAsked() {
    Transfer transfer =
        new Transfer(
            TransferRequest.capture(ID, OTHER),
            Amount.ofMinor(150),
            Amount.ZERO,
            true,
            null,
            7,
            null,
            Instant.parse("2026-01-31T12:00:00Z"),
            after(SALES, 150, 0),
            after(FEES, 0, 150));

    assertThat(text(out -> WRITER.write(out, transfer)))
        .isEqualTo(
            """
            {"id":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b","kind":"POST",\
            "relatedId":"018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0c","asset":"EUR","debit":"sales",\
            "credit":"fees","amount":"1.50","released":"0.00","last":true,"code":7,\
            "recordedAt":"2026-01-31T12:00:00.000000Z","request":{},\
            "debitAfter":{"account":"sales","asset":"EUR","normal":"CREDIT","version":2,\
            "balance":"-1.50","held":"0.00","expected":"0.00","debitsPosted":"1.50",\
            "creditsPosted":"0.00","debitsPending":"0.00","creditsPending":"0.00"},\
            "creditAfter":{"account":"fees","asset":"EUR","normal":"CREDIT","version":2,\
            "balance":"1.50","held":"0.00","expected":"0.00","debitsPosted":"0.00",\
            "creditsPosted":"1.50","debitsPending":"0.00","creditsPending":"0.00"}}""");
  }

  @Test
  void aChangeNamesWhatItSetsAndRemovesByNull() {
    ChangeRequest change =
        ChangeRequest.of(SALES).minBalance(null).maxBalance(Balance.ofMinor(100)).close();

    assertThat(text(out -> WRITER.write(out, change, EUR)))
        .isEqualTo("{\"minBalance\":null,\"maxBalance\":\"1.00\",\"closed\":true}");
    assertThat(text(out -> WRITER.write(out, ChangeRequest.of(SALES), EUR))).isEqualTo("{}");
  }

  private static AccountBalance after(AccountId account, long debits, long credits) {
    return new AccountBalance(
        account,
        EUR,
        Side.CREDIT,
        2,
        new Counters(Amount.ofMinor(debits), Amount.ofMinor(credits), Amount.ZERO, Amount.ZERO));
  }

  private static String text(Consumer<JsonGenerator> content) {
    return new String(JsonDocuments.bytes(content), UTF_8);
  }
}
