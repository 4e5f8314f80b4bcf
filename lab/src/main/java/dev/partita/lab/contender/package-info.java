/** Ways of keeping balances: small programs with their schema and statements in plain sight. */
@NullMarked
package dev.partita.lab.contender;

import org.jspecify.annotations.NullMarked;
