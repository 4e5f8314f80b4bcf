/** A ledger in memory: the reference engine, and a fake for unit tests. */
@NullMarked
package dev.partita.memory;

import org.jspecify.annotations.NullMarked;
