/** What a suite is, what it is run with, and what comes out. */
@NullMarked
package dev.partita.validate;

import org.jspecify.annotations.NullMarked;
