package dev.partita.json;

import dev.partita.AssetCode;
import dev.partita.LedgerEvent;

/** Events of the change feed from their JSON objects. */
final class EventValues {

  private final TransferValues transfers;
  private final AccountValues accounts;

  EventValues(TransferValues transfers, AccountValues accounts) {
    this.transfers = transfers;
    this.accounts = accounts;
  }

  LedgerEvent event(StrictObject object) {
    return object.make(
        () -> {
          LedgerEvent event =
              switch (object.choice("kind", EventKind.class)) {
                case ACCOUNT_OPENED ->
                    new LedgerEvent.AccountOpened(
                        object.text("cursor"),
                        accounts.newAccount(object.object("account")),
                        TransferValues.time(object, "recordedAt"));
                case ACCOUNT_CHANGED -> changed(object.text("cursor"), object.object("change"));
                case TRANSFER_RECORDED ->
                    new LedgerEvent.TransferRecorded(
                        object.text("cursor"), transfers.transfer(object.object("transfer")));
              };
          object.follows("id", event.id());
          object.follows("recordedAt", Times.format(event.recordedAt()));
          return event;
        });
  }

  private LedgerEvent changed(String cursor, StrictObject change) {
    AssetCode asset = change.value("asset", AssetCode::new);
    return new LedgerEvent.AccountChanged(cursor, accounts.recordedChange(change), asset);
  }
}
