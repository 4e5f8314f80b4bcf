package dev.partita.lab.knee;

/**
 * One probe of a search.
 *
 * @param number from 1, in the order in which they were made
 * @param stage what it was made for
 * @param rate operations a second
 * @param seed of everything random in it
 * @param facts what it found
 * @param judgement what was made of that
 */
public record Probe(
    int number, Stage stage, double rate, long seed, ProbeFacts facts, Judgement judgement) {}
