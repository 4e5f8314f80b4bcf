/**
 * The ledger's HTTP API, resource by resource: each class has the routes of one and answers them
 * with one or two calls of a {@link dev.partita.Ledger}. How requests come and responses go is
 * {@link dev.partita.server.http}'s business, how values look as JSON {@link dev.partita.json}'s.
 */
@NullMarked
package dev.partita.server.api;

import org.jspecify.annotations.NullMarked;
