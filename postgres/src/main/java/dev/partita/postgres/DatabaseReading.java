package dev.partita.postgres;

import java.time.Duration;

/**
 * What is worth watching in a ledger's database, at one moment by the ledger's clock.
 *
 * @param oldestSnapshot how long the oldest transaction is open that keeps PostgreSQL from removing
 *     dead rows in this database; zero without one. Of other roles' sessions only if this node's
 *     role is a member of {@code pg_read_all_stats}
 * @param oldestSnapshotOwner who has it: process, role and application; empty without one
 * @param oldestOverdueHold how long the hold that is overdue the longest has been due; zero without
 *     one
 * @param clockBehind how far the clock is behind the newest of the last recorded times; zero if it
 *     is ahead of them. While it is behind, transfers are recorded at the last recorded time
 */
public record DatabaseReading(
    Duration oldestSnapshot,
    String oldestSnapshotOwner,
    Duration oldestOverdueHold,
    Duration clockBehind) {}
