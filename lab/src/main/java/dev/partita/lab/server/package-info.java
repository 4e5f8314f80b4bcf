/**
 * What the database server is and did during a run, as a role that owns only its schema sees it.
 */
@NullMarked
package dev.partita.lab.server;

import org.jspecify.annotations.NullMarked;
