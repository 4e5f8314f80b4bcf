/** PostgreSQL from a jar, durable, in a directory. */
@NullMarked
package dev.partita.embedded;

import org.jspecify.annotations.NullMarked;
