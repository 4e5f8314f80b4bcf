/**
 * HTTP without a server: requests, responses, routes and problems, as plain values and functions. A
 * transport turns what it reads into a {@link dev.partita.server.http.Request}, gives it to an
 * {@link dev.partita.server.http.HttpHandler} and sends the {@link
 * dev.partita.server.http.Response}; nothing here knows which transport.
 */
@NullMarked
package dev.partita.server.http;

import org.jspecify.annotations.NullMarked;
