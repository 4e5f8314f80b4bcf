/** A marketplace under load that checks its own sums. */
@NullMarked
package dev.partita.cli.demo;

import org.jspecify.annotations.NullMarked;
