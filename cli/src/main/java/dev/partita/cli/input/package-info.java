/** Reads arguments and files strictly; every error names what is wrong and how to put it right. */
@NullMarked
package dev.partita.cli.input;

import org.jspecify.annotations.NullMarked;
