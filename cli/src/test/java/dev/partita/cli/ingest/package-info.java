/** Tests of the command line. */
@NullMarked
package dev.partita.cli.ingest;

import org.jspecify.annotations.NullMarked;
