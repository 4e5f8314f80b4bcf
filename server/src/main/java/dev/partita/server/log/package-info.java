/** The access log: one line for each request. */
@NullMarked
package dev.partita.server.log;

import org.jspecify.annotations.NullMarked;
