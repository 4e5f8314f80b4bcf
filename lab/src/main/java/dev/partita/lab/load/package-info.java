/** What is offered to a target, how it is timed, and what became of it. */
@NullMarked
package dev.partita.lab.load;

import org.jspecify.annotations.NullMarked;
