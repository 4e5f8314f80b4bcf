/** What an experiment is: arms that are compared, and what is expected of them. */
@NullMarked
package dev.partita.lab.experiment;

import org.jspecify.annotations.NullMarked;
