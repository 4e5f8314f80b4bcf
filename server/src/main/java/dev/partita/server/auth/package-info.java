/**
 * Who may do what: API keys, their scopes, and the check of the one that a request presents. Knows
 * nothing of HTTP, and nothing of where keys are kept.
 */
@NullMarked
package dev.partita.server.auth;

import org.jspecify.annotations.NullMarked;
