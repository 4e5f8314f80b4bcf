/**
 * What can be set about {@code serve}, each thing once, and how a value is found: by a flag, in the
 * environment, in a file, or by default.
 */
@NullMarked
package dev.partita.cli.settings;

import org.jspecify.annotations.NullMarked;
