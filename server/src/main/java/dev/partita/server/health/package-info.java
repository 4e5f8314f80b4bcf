/**
 * Whether this server can do its work, told truthfully and cheaply: what is below it is asked
 * through a {@link dev.partita.server.health.HealthProbe}, seldom and never for long.
 */
@NullMarked
package dev.partita.server.health;

import org.jspecify.annotations.NullMarked;
