/** Tests of the command line. */
@NullMarked
package dev.partita.cli.archive;

import org.jspecify.annotations.NullMarked;
