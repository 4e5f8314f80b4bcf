/** What clients were told, compared with what a contender has stored. */
@NullMarked
package dev.partita.lab.reconcile;

import org.jspecify.annotations.NullMarked;
