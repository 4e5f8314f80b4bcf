/** The facts of a run, as they are written to JSON, and shown by reports. */
@NullMarked
package dev.partita.lab.result;

import org.jspecify.annotations.NullMarked;
