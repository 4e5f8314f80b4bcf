/** The suites. */
@NullMarked
package dev.partita.validate.suites;

import org.jspecify.annotations.NullMarked;
