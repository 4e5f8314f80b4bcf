package dev.partita.lab.contender;

/** What a contender can do beside moving money, where a workload asks for it. */
public enum Ability {
  /** Refuses a transfer that its payer has no funds for. */
  REFUSES,
  /** Recognises an id that it made a transfer for, and makes no other. */
  UNIQUE_IDS
}
