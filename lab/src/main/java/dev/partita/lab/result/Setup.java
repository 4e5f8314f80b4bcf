package dev.partita.lab.result;

import org.jspecify.annotations.Nullable;

/**
 * What a cell was meant to do.
 *
 * @param contender name of the contender; its card is in the run
 * @param series which line of a plot it belongs to
 * @param x where on that line; null where an experiment has no such axis
 * @param workload what was asked of it, in words
 * @param loop how operations were offered, in words
 * @param callers concurrent callers, or most operations under way at once in an open loop
 * @param connections of the contender
 * @param batch transfers in each operation
 * @param ratePerSecond operations offered a second; null in a closed loop, which offers what it can
 * @param emulation what was made slower on purpose, in words; empty if nothing
 * @param warmUpSeconds offered and not measured
 * @param seconds measured
 * @param seed of its choices
 */
public record Setup(
    String contender,
    String series,
    @Nullable Double x,
    String workload,
    String loop,
    int callers,
    int connections,
    int batch,
    @Nullable Double ratePerSecond,
    String emulation,
    double warmUpSeconds,
    double seconds,
    long seed) {}
