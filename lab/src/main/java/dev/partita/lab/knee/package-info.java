/**
 * The highest rate at which a target still keeps a promise: probes, what is made of each, and the
 * search that decides which rate is probed next.
 */
@NullMarked
package dev.partita.lab.knee;

import org.jspecify.annotations.NullMarked;
