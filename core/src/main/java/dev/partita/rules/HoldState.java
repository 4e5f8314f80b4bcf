package dev.partita.rules;

import dev.partita.Amount;
import dev.partita.TransferKind;
import org.jspecify.annotations.Nullable;

/**
 * Where a hold stands.
 *
 * @param remaining what is still held, zero once ended
 * @param endedBy the kind of the record that ended it, null while it is open
 */
public record HoldState(Amount remaining, @Nullable TransferKind endedBy) {}
