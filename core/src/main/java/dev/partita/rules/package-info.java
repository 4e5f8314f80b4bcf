/** The rules of the ledger: a pure function of books, request and time. */
@NullMarked
package dev.partita.rules;

import org.jspecify.annotations.NullMarked;
