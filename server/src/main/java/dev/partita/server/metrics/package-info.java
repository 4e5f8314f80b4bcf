/**
 * What a server measures of itself, for Prometheus. Micrometer's types stay in this package; others
 * count on {@link dev.partita.server.metrics.Meters}.
 */
@NullMarked
package dev.partita.server.metrics;

import org.jspecify.annotations.NullMarked;
