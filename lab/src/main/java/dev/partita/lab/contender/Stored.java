package dev.partita.lab.contender;

import org.jspecify.annotations.Nullable;

/**
 * How to read what a contender has stored, in SQL, whatever its tables look like. Names are
 * qualified with the schema.
 *
 * @param balances a query of each account's number and what it has, as columns called account and
 *     amount; null if it keeps none
 * @param entries a query of two lines for each transfer: its id (uuid), the account's number and
 *     the signed amount, as columns called transfer, account and amount
 * @param chain a query of each account's lines with a number that orders them, the signed amount
 *     and what the account has after it, as columns called account, line, amount and after; null if
 *     it keeps no running balances
 * @param relations the tables whose size counts, comma-separated
 */
public record Stored(
    @Nullable String balances, String entries, @Nullable String chain, String relations) {

  /** These texts with the names of an arena; see {@link Arena#text}. */
  Stored in(Arena arena) {
    return new Stored(
        balances == null ? null : arena.text(balances),
        arena.text(entries),
        chain == null ? null : arena.text(chain),
        arena.text(relations));
  }
}
