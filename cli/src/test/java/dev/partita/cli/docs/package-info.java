/** Executes the commands that the documents show. */
@NullMarked
package dev.partita.cli.docs;

import org.jspecify.annotations.NullMarked;
