package dev.partita.cli;

import dev.partita.cli.connect.LedgerSource;
import dev.partita.cli.output.Terminal;
import java.io.InputStream;
import java.util.Map;

/**
 * Everything outside that commands touch, in one place so that tests can stand in for it.
 *
 * @param terminal where to print
 * @param environment the environment variables
 * @param input standard input
 * @param source where ledgers come from
 */
record World(
    Terminal terminal, Map<String, String> environment, InputStream input, LedgerSource source) {}
