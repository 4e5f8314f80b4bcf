/**
 * The transport: Helidon's web server, whose types stay in this package, so that another server can
 * take its place.
 */
@NullMarked
package dev.partita.server.helidon;

import org.jspecify.annotations.NullMarked;
