/** What a served ledger's engine, database and pool measure, and whether they can do their work. */
@NullMarked
package dev.partita.cli.watch;

import org.jspecify.annotations.NullMarked;
