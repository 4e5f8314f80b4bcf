package dev.partita.cli;

import dev.partita.cli.connect.LedgerSource;
import dev.partita.cli.output.Terminal;
import java.io.InputStream;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Everything outside that commands touch, in one place so that tests can stand in for it.
 *
 * @param terminal where to print
 * @param environment the environment variables
 * @param input standard input
 * @param source where ledgers come from
 * @param interrupted whether Ctrl-C was pressed, so that whatever fails now fails because of it
 * @param opening given, whenever something is opened that a command may be stuck in, what closes it
 */
record World(
    Terminal terminal,
    Map<String, String> environment,
    InputStream input,
    LedgerSource source,
    BooleanSupplier interrupted,
    Consumer<AutoCloseable> opening) {}
