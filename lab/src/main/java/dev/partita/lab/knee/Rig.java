package dev.partita.lab.knee;

import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.Source;
import dev.partita.lab.load.Worker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A target made ready for one probe: the usual data, connections open. */
public interface Rig extends AutoCloseable {

  /** Carry out operations; closed with this. */
  List<Worker> workers();

  /** The operations. */
  Source source();

  /** Told of every operation. */
  default Observer observer() {
    return Observer.NOBODY;
  }

  /** Looks at client, host and stored data after a window: why it must not be used, or null. */
  default @Nullable String complaint(Measured measured) {
    return null;
  }

  @Override
  default void close() {
    workers().forEach(Worker::close);
  }
}
