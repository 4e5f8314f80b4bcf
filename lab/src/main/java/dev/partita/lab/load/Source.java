package dev.partita.lab.load;

/** An endless series of operations, the same for the same seed. For one thread. */
@FunctionalInterface
public interface Source {

  /** The next operation. */
  Operation next();
}
