/** A ledger on a Partita server, over HTTP. */
@NullMarked
package dev.partita.client;

import org.jspecify.annotations.NullMarked;
