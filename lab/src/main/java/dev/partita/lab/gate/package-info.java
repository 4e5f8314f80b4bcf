/** What figures have to pass before they may be used. */
@NullMarked
package dev.partita.lab.gate;

import org.jspecify.annotations.NullMarked;
