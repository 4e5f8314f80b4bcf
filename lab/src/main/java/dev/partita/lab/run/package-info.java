/** Carries out experiments: arenas, cells, and the run as a whole. */
@NullMarked
package dev.partita.lab.run;

import org.jspecify.annotations.NullMarked;
