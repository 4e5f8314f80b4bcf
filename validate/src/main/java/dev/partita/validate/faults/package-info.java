/** What goes wrong: connections cut and slowed, sessions ended, processes killed. */
@NullMarked
package dev.partita.validate.faults;

import org.jspecify.annotations.NullMarked;
