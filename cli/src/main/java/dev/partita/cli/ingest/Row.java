package dev.partita.cli.ingest;

import dev.partita.TransferRequest;

/**
 * A row of a file as a transfer.
 *
 * @param line the line it begins on
 * @param request what it asks for
 */
public record Row(long line, TransferRequest request) {}
