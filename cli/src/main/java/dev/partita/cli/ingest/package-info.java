/** Reads transfers from files into a ledger. */
@NullMarked
package dev.partita.cli.ingest;

import org.jspecify.annotations.NullMarked;
