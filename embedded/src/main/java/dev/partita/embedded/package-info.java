/**
 * A durable PostgreSQL server in a directory, started from binaries that come as a Maven artifact.
 *
 * <p>{@link dev.partita.embedded.EmbeddedPostgres} is the only entry point.
 */
@NullMarked
package dev.partita.embedded;

import org.jspecify.annotations.NullMarked;
