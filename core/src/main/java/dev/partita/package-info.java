/**
 * The ledger as its users see it: {@link dev.partita.Ledger}, the values it takes and answers, and
 * the exceptions it throws.
 *
 * <p>Every type here is immutable and validated: what exists is well-formed. Amounts are whole
 * numbers of minor units; there is no floating point anywhere.
 */
@NullMarked
package dev.partita;

import org.jspecify.annotations.NullMarked;
