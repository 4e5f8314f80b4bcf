/** The ledger and its values: what users of Partita see. */
@NullMarked
package dev.partita;

import org.jspecify.annotations.NullMarked;
