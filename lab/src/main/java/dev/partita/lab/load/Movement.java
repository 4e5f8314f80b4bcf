package dev.partita.lab.load;

import java.util.UUID;

/**
 * One transfer to be made.
 *
 * @param id for contenders that keep ids; unique in a run unless a repeat is meant
 * @param from number of the account that pays, from 0
 * @param to number of the account that is paid, another one
 * @param amount in minor units, 1 or more
 */
public record Movement(UUID id, int from, int to, long amount) {}
