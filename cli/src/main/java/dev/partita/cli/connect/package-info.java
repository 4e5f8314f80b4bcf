/** Opens the ledger that a command works on. */
@NullMarked
package dev.partita.cli.connect;

import org.jspecify.annotations.NullMarked;
