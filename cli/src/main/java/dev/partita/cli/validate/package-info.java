/** The suites of faults as commands: what a run found, for people, programs and the files kept. */
@NullMarked
package dev.partita.cli.validate;

import org.jspecify.annotations.NullMarked;
