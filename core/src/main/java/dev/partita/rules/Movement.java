package dev.partita.rules;

/** The two accounts that a transfer moves on, as they stand before it. */
record Movement(AccountState debit, AccountState credit) {

  Movement reversed() {
    return new Movement(credit, debit);
  }
}
