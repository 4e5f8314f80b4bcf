/** When operations are meant to begin. */
@NullMarked
package dev.partita.lab.arrival;

import org.jspecify.annotations.NullMarked;
