/**
 * The JSON forms of the ledger's values: written as a stream by {@link
 * dev.partita.json.JsonWriter}, read strictly by {@link dev.partita.json.JsonReader}. What was
 * written reads back equal.
 */
@NullMarked
package dev.partita.json;

import org.jspecify.annotations.NullMarked;
