/** Validation with the bank data that the command line reads. */
@NullMarked
package dev.partita.cli.validate;

import org.jspecify.annotations.NullMarked;
