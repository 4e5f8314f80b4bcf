/** The certificate and key of a server that speaks HTTPS, read from files and checked. */
@NullMarked
package dev.partita.server.tls;

import org.jspecify.annotations.NullMarked;
