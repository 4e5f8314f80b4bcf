/** Tests of the command line. */
@NullMarked
package dev.partita.cli;

import org.jspecify.annotations.NullMarked;
