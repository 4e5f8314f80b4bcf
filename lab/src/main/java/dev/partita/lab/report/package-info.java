/**
 * What people and programs read of a run: a page, a terminal summary, a README table and JSON. All
 * of it comes from {@link dev.partita.lab.result.Run} alone.
 */
@NullMarked
package dev.partita.lab.report;

import org.jspecify.annotations.NullMarked;
