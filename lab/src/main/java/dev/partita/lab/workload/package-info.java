/** Which accounts an operation touches, and how often the same ones. */
@NullMarked
package dev.partita.lab.workload;

import org.jspecify.annotations.NullMarked;
