package dev.partita.lab.result;

/**
 * One gate and what it saw.
 *
 * @param id such as G02
 * @param what has to hold
 * @param observed in words
 * @param threshold in words
 * @param held whether it held
 * @param effect what the figures are worth if it does not
 */
public record GateResult(
    String id, String what, String observed, String threshold, boolean held, Verdict effect) {}
