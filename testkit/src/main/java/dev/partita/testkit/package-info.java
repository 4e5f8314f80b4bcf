/** Suites and helpers to test any ledger. */
@NullMarked
package dev.partita.testkit;

import org.jspecify.annotations.NullMarked;
