package dev.partita.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.AssetCode;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.LedgerEvent;
import dev.partita.OpenResult;
import dev.partita.Page;
import dev.partita.RegisterResult;
import dev.partita.TransferRequest;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;

/** Every value comes back equal, in both forms of amounts. */
class RoundTripTest {

  private static final int VALUES = 100;

  /** Of one run; to run it again: {@code -Dpartita.seed=…}. */
  private static final long SEED = Long.getLong("partita.seed", System.nanoTime());

  private static final List<Amounts> FORMS =
      List.of(Amounts.MINOR, Amounts.major(RandomValues.ASSETS::get));

  @Test
  void assets() {
    everyValue(
        random -> random.several(5, () -> RandomValues.ASSETS.get(random.assetCode())),
        (out, writer, assets) ->
            writer.write(out, "assets", new Page<>(assets, null), writer::write),
        JsonReader::readAssets);
  }

  @Test
  void registerResults() {
    everyValue(
        random ->
            random.several(
                5,
                () ->
                    new RegisterResult(
                        RandomValues.ASSETS.get(random.assetCode()),
                        random.pick(List.of(RegisterResult.Status.values())))),
        (out, writer, results) ->
            writer.write(out, "results", new Page<>(results, null), writer::write),
        JsonReader::readRegisterResults);
  }

  @Test
  void accountsToOpen() {
    everyValue(
        random -> new OpenBody(random.several(5, random::newAccount), false),
        (out, writer, body) ->
            writer.write(out, "accounts", new Page<>(body.accounts(), null), writer::write),
        JsonReader::readOpen);
  }

  @Test
  void accountToOpen() {
    everyValue(
        random -> new OpenBody(List.of(random.newAccount()), true),
        (out, writer, body) -> writer.write(out, body.accounts().getFirst()),
        JsonReader::readOpen);
  }

  @Test
  void openResults() {
    everyValue(
        random ->
            random.several(
                5,
                () ->
                    new OpenResult(
                        random.accountId(),
                        random.pick(List.of(OpenResult.Status.values())),
                        random.maybe(() -> "asset"))),
        (out, writer, results) ->
            writer.write(out, "results", new Page<>(results, null), writer::write),
        JsonReader::readOpenResults);
  }

  @Test
  void account() {
    everyValue(
        RandomValues::account,
        (out, writer, account) -> writer.write(out, account),
        JsonReader::readAccount);
  }

  @Test
  void accounts() {
    everyValue(
        random -> new Page<>(random.several(4, random::account), random.maybe(() -> "cursor+/=")),
        (out, writer, page) -> writer.write(out, "accounts", page, writer::write),
        JsonReader::readAccounts);
  }

  @Test
  void changeResult() {
    everyValue(
        random ->
            new ChangeResult(random.pick(List.of(ChangeResult.Status.values())), random.account()),
        (out, writer, result) -> writer.write(out, result),
        JsonReader::readChangeResult);
  }

  @Test
  void events() {
    everyValue(
        random ->
            new Page<>(random.several(6, () -> event(random)), random.maybe(() -> "cursor+/=")),
        (out, writer, page) -> writer.write(out, "events", page, writer::write),
        JsonReader::readEvents);
    everyValue(
        RoundTripTest::event,
        (out, writer, event) -> writer.write(out, event),
        JsonReader::readEvent);
  }

  private static LedgerEvent event(RandomValues random) {
    return switch (random.pick(List.of(EventKind.values()))) {
      case ACCOUNT_OPENED ->
          new LedgerEvent.AccountOpened("c", random.newAccount(), random.change().recordedAt());
      case ACCOUNT_CHANGED ->
          new LedgerEvent.AccountChanged("c", random.change(), new AssetCode("EUR"));
      case TRANSFER_RECORDED -> new LedgerEvent.TransferRecorded("c", random.transfer());
    };
  }

  @Test
  void changes() {
    AssetCode asset = new AssetCode("EUR");
    everyValue(
        random -> new Page<>(random.several(4, random::change), random.maybe(() -> "c")),
        (out, writer, page) ->
            writer.write(out, "changes", page, (o, change) -> writer.write(o, change, asset)),
        JsonReader::readChanges);
  }

  @Test
  void changeRequest() {
    AssetCode asset = new AssetCode("EUR");
    AccountId account = AccountId.of("a");
    everyValue(
        random -> {
          AccountTerms before = random.terms();
          return new Change(random.changeRequest(account), before);
        },
        (out, writer, change) -> writer.write(out, change.request(), asset),
        (reader, in) -> new Change(reader.readChange(in, account, asset), null));
  }

  /** A change is what it makes of given terms. */
  private record Change(ChangeRequest request, AccountTerms before) {

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Change that)) {
        return false;
      }
      AccountTerms terms = before == null ? that.before : before;
      return request.account().equals(that.request.account())
          && request.applyTo(terms).equals(that.request.applyTo(terms))
          && Objects.equals(request.ifChange(), that.request.ifChange())
          && Objects.equals(request.actor(), that.request.actor());
    }

    @Override
    public int hashCode() {
      return request.account().hashCode();
    }
  }

  @Test
  void balance() {
    everyValue(
        RandomValues::reading,
        (out, writer, reading) -> writer.write(out, reading),
        JsonReader::readBalance);
  }

  @Test
  void effectiveBalance() {
    everyValue(
        RandomValues::effective,
        (out, writer, reading) -> writer.write(out, reading),
        JsonReader::readEffective);
  }

  @Test
  void statement() {
    everyValue(
        random -> new Page<>(random.several(4, random::entry), random.maybe(() -> "c")),
        (out, writer, page) -> writer.write(out, "entries", page, writer::write),
        JsonReader::readStatement);
  }

  @Test
  void holds() {
    everyValue(
        random -> new Page<>(random.several(4, random::hold), random.maybe(() -> "c")),
        (out, writer, page) -> writer.write(out, "holds", page, writer::write),
        JsonReader::readHolds);
  }

  @Test
  void transfer() {
    everyValue(
        RandomValues::transfer,
        (out, writer, transfer) -> writer.write(out, transfer),
        JsonReader::readTransfer);
  }

  @Test
  void transfers() {
    everyValue(
        random -> new Page<>(random.several(4, random::transfer), random.maybe(() -> "c")),
        (out, writer, page) -> writer.write(out, "transfers", page, writer::write),
        JsonReader::readTransfers);
  }

  @Test
  void transferToPost() {
    everyValue(
        random -> random.request(true),
        (out, writer, request) -> writer.write(out, request),
        (reader, in) -> {
          PostBody body = reader.readPostBody(in);
          assertThat(body.single()).isTrue();
          return (TransferRequest) body.request().items().getFirst();
        });
  }

  @Test
  void itemsToPost() {
    everyValue(
        random -> random.postRequest(true),
        (out, writer, request) -> writer.write(out, request),
        JsonReader::readPost);
    everyValue(
        random -> new PostBody(random.postRequest(true), false),
        (out, writer, body) -> writer.write(out, body.request()),
        JsonReader::readPostBody);
  }

  @Test
  void minorUnitsNeedNoAsset() {
    RandomValues random = new RandomValues(SEED);
    for (int i = 0; i < VALUES; i++) {
      comesBack(
          random.postRequest(false),
          Amounts.MINOR,
          (out, writer, request) -> writer.write(out, request),
          JsonReader::readPost);
    }
  }

  @Test
  void answersToAPost() {
    everyValue(
        RandomValues::postResult,
        (out, writer, result) -> writer.write(out, result),
        JsonReader::readPostResult);
  }

  @Test
  void ids() {
    everyValue(
        random -> random.several(9, random::id),
        (out, writer, ids) -> writer.writeIds(out, ids),
        JsonReader::readIds);
    UUID max = new UUID(-1, -1);
    comesBack(
        List.of(max),
        Amounts.MINOR,
        (out, writer, ids) -> writer.writeIds(out, ids),
        JsonReader::readIds);
  }

  @Test
  void trialBalance() {
    everyValue(
        RandomValues::trialBalance,
        (out, writer, balance) -> writer.write(out, balance),
        JsonReader::readTrialBalance);
  }

  @Test
  void verification() {
    everyValue(
        RandomValues::report,
        (out, writer, report) -> writer.write(out, report),
        JsonReader::readVerifyReport);
    everyValue(
        random -> new Verification("v1", Verification.State.DONE, 5, 5, random.report()),
        (out, writer, verification) -> writer.write(out, verification),
        JsonReader::readVerification);
    everyValue(
        random -> new Verification("v2", Verification.State.RUNNING, 1, 5, null),
        (out, writer, verification) -> writer.write(out, verification),
        JsonReader::readVerification);
  }

  @FunctionalInterface
  private interface Writing<T> {
    void write(JsonGenerator out, JsonWriter writer, T value);
  }

  private static <T> void everyValue(
      Function<RandomValues, T> make,
      Writing<T> writing,
      BiFunction<JsonReader, InputStream, T> reading) {
    RandomValues random = new RandomValues(SEED);
    for (int i = 0; i < VALUES; i++) {
      T value = make.apply(random);
      for (Amounts form : FORMS) {
        comesBack(value, form, writing, reading);
      }
    }
  }

  private static <T> void comesBack(
      T value, Amounts form, Writing<T> writing, BiFunction<JsonReader, InputStream, T> reading) {
    JsonWriter writer = new JsonWriter(form);
    byte[] document = JsonDocuments.bytes(out -> writing.write(out, writer, value));
    T read;
    try {
      read = reading.apply(new JsonReader(form), new ByteArrayInputStream(document));
    } catch (JsonProblemException e) {
      throw new AssertionError(described(document), e);
    }
    assertThat(read).as(described(document)).isEqualTo(value);
  }

  private static String described(byte[] document) {
    return "rerun with -Dpartita.seed=" + SEED + "; " + new String(document, UTF_8);
  }
}
