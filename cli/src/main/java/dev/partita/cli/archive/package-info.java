/** A whole ledger as a file, and back. */
@NullMarked
package dev.partita.cli.archive;

import org.jspecify.annotations.NullMarked;
