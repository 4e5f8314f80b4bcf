/** A ledger in PostgreSQL. */
@NullMarked
package dev.partita.postgres;

import org.jspecify.annotations.NullMarked;
