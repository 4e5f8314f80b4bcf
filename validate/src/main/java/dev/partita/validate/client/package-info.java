/** What clients do and know, and how it is compared with what a ledger stores. */
@NullMarked
package dev.partita.validate.client;

import org.jspecify.annotations.NullMarked;
