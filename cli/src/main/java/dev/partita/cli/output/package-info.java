/** What a command prints: tables and sentences for people, documents for programs. */
@NullMarked
package dev.partita.cli.output;

import org.jspecify.annotations.NullMarked;
