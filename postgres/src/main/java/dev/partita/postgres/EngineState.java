package dev.partita.postgres;

import java.time.Duration;

/**
 * How a ledger's queue and lanes are at one moment.
 *
 * @param queuedTransfers transfers that wait for a lane
 * @param queuedBytes the same in bytes, by an estimate of what the requests hold
 * @param asideTransfers transfers that lanes have put aside, because others keep their accounts or
 *     ids locked; they take room in the queue
 * @param asideBytes the same in bytes
 * @param queueTransfersMax most transfers that may wait, queued and aside
 * @param queueBytesMax most bytes that may wait
 * @param fullFor since when the queue has refused every request, and is still more than half full;
 *     zero if it has not
 * @param lanes how many lanes there are
 * @param lanesConnected how many of them have a connection, as far as they know: one that has not
 *     connects when a request comes
 * @param lanesStopped how many have ended. None should before the ledger is closed
 */
public record EngineState(
    int queuedTransfers,
    long queuedBytes,
    int asideTransfers,
    long asideBytes,
    int queueTransfersMax,
    long queueBytesMax,
    Duration fullFor,
    int lanes,
    int lanesConnected,
    int lanesStopped) {}
