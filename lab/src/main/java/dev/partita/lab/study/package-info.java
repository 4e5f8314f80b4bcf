/** The experiments: each one small declaration. {@link Experiments} lists them. */
@NullMarked
package dev.partita.lab.study;

import org.jspecify.annotations.NullMarked;
