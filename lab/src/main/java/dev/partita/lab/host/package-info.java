/** What the machine is and did: facts, CPU time, limits that were hit. Linux says most of it. */
@NullMarked
package dev.partita.lab.host;

import org.jspecify.annotations.NullMarked;
