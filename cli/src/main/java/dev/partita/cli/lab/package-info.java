/** The load lab as commands show it. */
@NullMarked
package dev.partita.cli.lab;

import org.jspecify.annotations.NullMarked;
