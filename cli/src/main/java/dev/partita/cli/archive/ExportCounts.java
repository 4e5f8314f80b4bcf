package dev.partita.cli.archive;

/**
 * How many records of each kind an export has.
 *
 * @param assets registered assets
 * @param accounts opened accounts
 * @param changes changes of accounts
 * @param transfers recorded transfers
 */
public record ExportCounts(long assets, long accounts, long changes, long transfers) {}
