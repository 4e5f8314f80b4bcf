/**
 * The HTTP server: {@link dev.partita.server.PartitaServer} answers the API over any {@link
 * dev.partita.Ledger}.
 */
@NullMarked
package dev.partita.server;

import org.jspecify.annotations.NullMarked;
